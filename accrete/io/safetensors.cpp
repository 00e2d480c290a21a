#include "accrete/io/safetensors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "accrete/core/error.hpp"
#include "accrete/io/strict_json.hpp"

namespace accrete::io {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are copied without swapping bytes");

constexpr const char* metadata_key = "__metadata__";
constexpr const char* header_name = "the header";

[[noreturn]] void refuse_file(const std::string& why) {
  throw core::FileError("damaged (" + why + ")");
}

/// Bytes per number; 0 for an unknown dtype.
std::size_t dtype_size(std::string_view dtype) {
  struct Entry {
    const char* name;
    std::size_t size;
  };
  static constexpr std::array<Entry, 15> known{{{"BOOL", 1},
                                                {"U8", 1},
                                                {"I8", 1},
                                                {"F8_E4M3", 1},
                                                {"F8_E5M2", 1},
                                                {"U16", 2},
                                                {"I16", 2},
                                                {"F16", 2},
                                                {"BF16", 2},
                                                {"U32", 4},
                                                {"I32", 4},
                                                {"F32", 4},
                                                {"U64", 8},
                                                {"I64", 8},
                                                {"F64", 8}}};
  for (const Entry& entry : known)
    if (dtype == entry.name) return entry.size;
  return 0;
}

/// Size in bytes of the tensor, from shape and dtype. Throws FileError if it exceeds 64 bits.
std::uint64_t byte_length(const Tensor& tensor) {
  std::uint64_t length = dtype_size(tensor.dtype);
  if (length == 0) refuse_file(fmt::format("tensor '{}': unknown dtype '{}'", tensor.name, tensor.dtype));
  if (std::find(tensor.shape.begin(), tensor.shape.end(), 0u) != tensor.shape.end()) return 0;
  for (std::uint64_t extent : tensor.shape)
    if (__builtin_mul_overflow(length, extent, &length))
      refuse_file(fmt::format("tensor '{}': its shape is too large", tensor.name));
  return length;
}

std::vector<std::uint64_t> unsigned_list(const nlohmann::json& entry, const char* key, const std::string& name) {
  std::vector<std::uint64_t> numbers;
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_array()) refuse_file(fmt::format("tensor '{}': no {}", name, key));
  for (const auto& item : *found) {
    if (!item.is_number_unsigned())
      refuse_file(fmt::format("tensor '{}': {} must be a list of non-negative integers", name, key));
    numbers.push_back(item.get<std::uint64_t>());
  }
  return numbers;
}

struct TensorEntry {
  Tensor tensor;
  std::uint64_t begin = 0, end = 0;
};

TensorEntry read_entry(const std::string& name, const nlohmann::json& entry) {
  if (!entry.is_object()) refuse_file(fmt::format("tensor '{}' is not described", name));
  const auto dtype = entry.find("dtype");
  if (dtype == entry.end() || !dtype->is_string()) refuse_file(fmt::format("tensor '{}': no dtype", name));
  TensorEntry result;
  result.tensor = {name, dtype->get<std::string>(), unsigned_list(entry, "shape", name), {}};
  const auto offsets = unsigned_list(entry, "data_offsets", name);
  if (offsets.size() != 2 || offsets[0] > offsets[1])
    refuse_file(fmt::format("tensor '{}': its offsets are not a begin and an end", name));
  result.begin = offsets[0], result.end = offsets[1];
  if (byte_length(result.tensor) != result.end - result.begin)
    refuse_file(fmt::format("tensor '{}': its shape and its length in bytes disagree", name));
  return result;
}

void read_metadata(const nlohmann::json& entry, Container& container) {
  if (!entry.is_object()) refuse_file("the metadata is not an object");
  for (const auto& [key, value] : entry.items()) {
    if (!value.is_string()) refuse_file(fmt::format("metadata '{}' is not text", key));
    container.metadata.emplace_back(key, value.get_ref<const std::string&>());
  }
}

/// Assigns the bytes of every tensor. Throws FileError unless the tensors cover the data exactly.
void assign_bytes(std::vector<TensorEntry> entries, std::string_view data, Container& container) {
  std::sort(entries.begin(), entries.end(), [](const TensorEntry& a, const TensorEntry& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::uint64_t needed = 0;
  for (const TensorEntry& p : entries) needed = std::max(needed, p.end);
  if (needed > data.size())
    throw core::FileError(fmt::format("truncated ({} bytes of data; {} expected)", data.size(), needed));
  std::uint64_t end = 0;
  for (TensorEntry& p : entries) {
    if (p.begin != end) refuse_file(fmt::format("tensor '{}' overlaps another or leaves a gap", p.tensor.name));
    end = p.end;
    p.tensor.bytes = data.substr(p.begin, p.end - p.begin);
    container.tensors.push_back(std::move(p.tensor));
  }
  if (end != data.size()) refuse_file(fmt::format("{} bytes after the last tensor", data.size() - end));
}

std::uint64_t header_length(std::string_view bytes) {
  constexpr const char* not_a_model = "not an accrete model (no safetensors header)";
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length)
    throw core::FileError(fmt::format("truncated, or not an accrete model ({} bytes)", bytes.size()));
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > container_header_limit) throw core::FileError(not_a_model);
  if (bytes.size() > sizeof length && bytes[sizeof length] != '{') throw core::FileError(not_a_model);
  if (length > bytes.size() - sizeof length)
    throw core::FileError(fmt::format("truncated ({} bytes; its header alone has {})", bytes.size(), length));
  return length;
}

}  // namespace

const std::string* Container::find_metadata(std::string_view key) const {
  for (const auto& [name, value] : metadata)
    if (name == key) return &value;
  return nullptr;
}

const Tensor* Container::find_tensor(std::string_view name) const {
  for (const Tensor& tensor : tensors)
    if (tensor.name == name) return &tensor;
  return nullptr;
}

std::string write_container(const Container& container) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  auto& metadata = header[metadata_key] = nlohmann::ordered_json::object();
  for (const auto& [key, value] : container.metadata) metadata[key] = value;
  std::uint64_t offset = 0;
  for (const Tensor& tensor : container.tensors) {
    auto& entry = header[tensor.name];
    entry["dtype"] = tensor.dtype;
    entry["shape"] = tensor.shape;
    entry["data_offsets"] = {offset, offset + tensor.bytes.size()};
    offset += tensor.bytes.size();
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const nlohmann::json::exception&) {
    throw core::DataError("a text of the model is not valid UTF-8");
  }
  text.resize((text.size() + 7) / 8 * 8, ' ');
  if (text.size() > container_header_limit)
    throw core::DataError(fmt::format("the model's names and levels take {} bytes; a model file holds at most {}",
                                      text.size(), container_header_limit));
  const std::uint64_t length = text.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  bytes.reserve(bytes.size() + text.size() + offset);
  bytes += text;
  for (const Tensor& tensor : container.tensors) bytes += tensor.bytes;
  return bytes;
}

Container parse_container(std::string_view bytes) {
  const std::uint64_t length = header_length(bytes);
  const auto header = parse_strict<nlohmann::json>(bytes.substr(sizeof length, length), header_name);
  if (!header.is_object()) refuse_file("the header is not an object");
  Container container;
  std::vector<TensorEntry> entries;
  for (const auto& [name, entry] : header.items()) {
    if (name == metadata_key)
      read_metadata(entry, container);
    else
      entries.push_back(read_entry(name, entry));
  }
  assign_bytes(std::move(entries), bytes.substr(sizeof length + length), container);
  return container;
}

void expect_shape(const char* name, const std::vector<std::uint64_t>& shape,
                  const std::vector<std::uint64_t>& expected) {
  if (shape != expected)
    throw core::FileError(fmt::format("damaged (tensor '{}' is {}; expected {})", name, fmt::join(shape, " x "),
                                      fmt::join(expected, " x ")));
}

}  // namespace accrete::io
