#pragma once
// Damaged model files, made from a valid one.

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "accrete/core/error.hpp"
#include "accrete/io/model_file.hpp"
#include "tests/io/sample_model.hpp"

namespace accrete::io {

using Json = nlohmann::ordered_json;

inline const std::string path = "m.safetensors";

/// The error message, which must be one line that begins with the path; "" if the bytes are a valid model.
inline std::string refusal(std::string_view bytes) {
  try {
    parse_model(bytes, path);
  } catch (const core::FileError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.rfind(path + ": ", 0), 0u) << message;
    EXPECT_EQ(message.find('\n'), message.npos) << message;
    EXPECT_LT(message.size(), 400u);
    return message;
  }
  return "";
}

#define EXPECT_REFUSED(bytes, part) EXPECT_NE(refusal(bytes).find(part), std::string::npos) << refusal(bytes)

inline std::string with_checksum(std::string bytes) {
  const std::string key = "\"checksum\":\"";
  const std::size_t place = bytes.find(key) + key.size();
  bytes.replace(place, 8, "00000000");
  const auto crc = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  return bytes.replace(place, 8, fmt::format("{:08x}", crc));
}

inline std::string assemble(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

struct HeaderAndData {
  Json header;
  std::string data;
};

inline HeaderAndData open(const std::string& bytes) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  return {Json::parse(bytes.substr(8, length)), bytes.substr(8 + length)};
}

/// The file with a changed header and data; lengths and checksum are updated.
inline std::string patched(const std::function<void(Json& header, std::string& data)>& change,
                           const model::Model& model = small_model()) {
  HeaderAndData file = open(serialise(model));
  change(file.header, file.data);
  return with_checksum(assemble(file.header.dump(), file.data));
}

inline std::string redescribed(const std::function<void(Json& document)>& change,
                               const model::Model& model = small_model()) {
  return patched(
      [&](Json& header, std::string&) {
        Json document = Json::parse(header["__metadata__"]["model"].get<std::string>());
        change(document);
        header["__metadata__"]["model"] = document.dump();
      },
      model);
}

template <class T>
std::string with_number(const char* tensor, std::size_t index, T value, const model::Model& model = small_model()) {
  return patched(
      [&](Json& header, std::string& data) {
        const std::size_t begin = header[tensor]["data_offsets"][0];
        std::memcpy(data.data() + begin + index * sizeof value, &value, sizeof value);
      },
      model);
}

}  // namespace accrete::io
