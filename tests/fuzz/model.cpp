// A model file. Its checksum is corrected first; otherwise nearly every change ends at the checksum.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

#include "accrete/c/accrete.h"
#include "accrete/io/c_source.hpp"
#include "accrete/io/model_file.hpp"
#include "tests/fuzz/targets.hpp"

namespace accrete::fuzz {
namespace {

std::string with_checksum(std::string bytes) {
  constexpr std::string_view key = "\"checksum\":\"";
  const std::size_t found = bytes.find(key), place = found + key.size();
  if (found == bytes.npos || bytes.size() - place < 8) return bytes;
  bytes.replace(place, 8, "00000000");
  const auto crc = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  return bytes.replace(place, 8, fmt::format("{:08x}", crc));
}

/// Predicts rows of zeros, missing values and a level beyond the last, with all units and with the first step's.
void predict_with(const std::string& bytes) {
  accrete_model* model = nullptr;
  char error[256];
  const accrete_status loaded = accrete_load_bytes(bytes.data(), bytes.size(), &model, error, sizeof error);
  if (loaded == ACCRETE_INTERNAL_ERROR) throw Finding(error);
  if (loaded != ACCRETE_OK) return;
  const std::size_t inputs = accrete_inputs(model), outputs = accrete_outputs(model);
  std::vector<double> out(3 * outputs);
  std::vector<float> x(3 * inputs, 0.0f);
  for (std::size_t i = 0; i < inputs; ++i) {
    x[inputs + i] = std::numeric_limits<float>::quiet_NaN();
    x[2 * inputs + i] = 1e9f;
  }
  const std::size_t first = accrete_steps(model) > 0 ? accrete_units_after(model, 1) : 0;
  for (const std::size_t units : {std::size_t{0}, first}) {
    const accrete_status status = accrete_predict(model, x.data(), 3, units, out.data(), error, sizeof error);
    if (status == ACCRETE_INTERNAL_ERROR) {
      accrete_free(model);
      throw Finding(error);
    }
  }
  accrete_free(model);
}

}  // namespace

void fuzz_model(Bytes bytes) {
  const std::string file = with_checksum(std::string(as_text(bytes)));
  std::string again;
  const std::string message = refusal([&] {
    const model::Model model = io::parse_model(file, "m.safetensors");
    again = io::serialise(model);
    require(io::serialise(io::parse_model(again, "m.safetensors")) == again, "a written model reads back differently");
  });
  if (message.empty()) predict_with(file);
}

}  // namespace accrete::fuzz
