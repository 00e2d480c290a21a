#include "accrete/io/model_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

#include "accrete/core/error.hpp"
#include "accrete/core/escape.hpp"
#include "accrete/io/atomic_file.hpp"
#include "accrete/io/model_file/check.hpp"
#include "accrete/io/model_file/description.hpp"
#include "accrete/io/model_file/inputs.hpp"
#include "accrete/io/model_file/plain.hpp"
#include "accrete/io/safetensors.hpp"

namespace accrete::io {
namespace {

constexpr const char* format_name = "accrete";
constexpr unsigned format_version = 2;  ///< newest version; grown networks are written as version 1 for older readers
constexpr std::string_view checksum_opening = "\"checksum\":\"";
constexpr std::string_view checksum_blank = "00000000";

network::Network read_network(const Container& file, const ModelDescription& description) {
  auto ends = read_tensor<std::int64_t>(file, "step_ends", 1);
  auto hidden = read_tensor<float>(file, "hidden.weight", 2);
  auto hidden_bias = read_tensor<float>(file, "hidden.bias", 1);
  auto output = read_tensor<float>(file, "output.weight", 2);
  auto prefix_bias = read_tensor<double>(file, "output.prefix_bias", 2);
  expect_shape("hidden.weight", hidden.shape, {description.units, description.features});
  expect_shape("hidden.bias", hidden_bias.shape, {description.units});
  expect_shape("output.weight", output.shape, {description.units, description.outputs});
  expect_shape("output.prefix_bias", prefix_bias.shape, {ends.values.size() + 1, description.outputs});

  network::Network::Arrays arrays;
  arrays.activation = description.activation;
  arrays.features = description.features;
  arrays.outputs = description.outputs;
  // A negative end becomes a huge number, which Network rejects.
  arrays.step_ends.assign(ends.values.begin(), ends.values.end());
  arrays.hidden_weights = std::move(hidden.values);
  arrays.hidden_bias = std::move(hidden_bias.values);
  arrays.output_weights = std::move(output.values);
  arrays.prefix_bias = std::move(prefix_bias.values);
  return network::Network(std::move(arrays));
}

/// True if the model has monotone columns. Files of older versions do not record the parameter.
bool is_monotone(const model::Provenance& provenance) {
  const auto given = std::ranges::find(provenance.parameters, "monotone", &std::pair<std::string, std::string>::first);
  return given != provenance.parameters.end() && given->second != "none";
}

/// CRC-32 of the file, with the eight checksum digits at `place` read as zeros.
std::string checksum(std::string_view bytes, std::size_t place) {
  const auto add = [](uLong crc, std::string_view part) {
    return crc32_z(crc, reinterpret_cast<const Bytef*>(part.data()), part.size());
  };
  uLong crc = add(0, bytes.substr(0, place));
  crc = add(crc, checksum_blank);
  crc = add(crc, bytes.substr(place + checksum_blank.size()));
  return fmt::format("{:08x}", crc);
}

/// Offset of the checksum's digits. The bytes are untrusted, but have been parsed as a container.
std::size_t checksum_place(std::string_view bytes) {
  const std::size_t opening = bytes.find(checksum_opening);
  if (opening == bytes.npos || bytes.size() - opening - checksum_opening.size() < checksum_blank.size())
    throw core::FileError("damaged (no checksum)");
  return opening + checksum_opening.size();
}

void check_version(const Container& file) {
  const std::string* format = file.find_metadata("format");
  if (!format || *format != format_name) throw core::FileError("not an accrete model");
  const std::string* version = file.find_metadata("format_version");
  unsigned number = 0;
  if (version) std::from_chars(version->data(), version->data() + version->size(), number);
  if (number > format_version)
    throw core::FileError(
        fmt::format("written by a newer accrete (format {}; this version reads up to {})", number, format_version));
  if (!version || number == 0 || *version != std::to_string(number))
    throw core::FileError("damaged (no format version)");
}

const std::string& metadata(const Container& file, const char* key) {
  const std::string* value = file.find_metadata(key);
  if (!value) throw core::FileError(fmt::format("damaged (metadata '{}' is missing)", key));
  return *value;
}

model::Model parse(std::string_view bytes) {
  const Container file = parse_container(bytes);
  check_version(file);
  if (checksum(bytes, checksum_place(bytes)) != metadata(file, "checksum"))
    throw core::FileError("damaged (checksum mismatch)");

  ModelDescription description = parse_description(metadata(file, "model"));
  if (metadata(file, "task") != data::task_name(description.model.task))
    throw core::FileError("damaged (the task is given in two ways)");
  model::Model model = std::move(description.model);
  model.network = read_network(file, description);
  if (is_monotone(model.provenance)) model.network.require_exact_activation();
  if (model.method != model::Method::boosting)
    model.members = read_members(file, description.widths, description.members, description.activation);
  model.encoder = read_encoder(file, std::move(description.inputs), description.bins);
  model.target_shift = read_column<double>(file, "target.shift");
  model.target_scale = read_column<double>(file, "target.scale");
  model.provenance.version = metadata(file, "accrete_version");
  if (file.find_tensor("curve.train_loss")) model.provenance.train_loss = read_column<double>(file, "curve.train_loss");
  if (file.find_tensor("curve.validation_loss"))
    model.provenance.validation_loss = read_column<double>(file, "curve.validation_loss");
  if (model.calibration.coverage > 0.0)
    model.calibration.corrections = read_column<double>(file, "calibration.correction");
  check_model(model);
  return model;
}

std::string read_bytes(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw core::FileError(path + ": no such file");
  if (!std::filesystem::is_regular_file(status)) throw core::FileError(path + ": not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw core::FileError(path + ": cannot be opened: " + std::strerror(errno));
  // Rejects a large file of another format by its first bytes, before reading the rest.
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::string bytes(std::min<std::uintmax_t>(size, 9), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  std::uint64_t header = 0;
  if (in && bytes.size() == 9) std::memcpy(&header, bytes.data(), 8);
  if (in && size > 9 && header <= container_header_limit && bytes[8] == '{') {
    bytes.resize(size);
    in.read(bytes.data() + 9, static_cast<std::streamsize>(size - 9));
  }
  if (!in) throw core::FileError(path + ": cannot be read to its end");
  return bytes;
}

}  // namespace

std::string serialise(const model::Model& model) {
  check_model(model);
  const network::Network& net = model.network;
  const std::vector<std::int64_t> ends(net.step_ends().begin(), net.step_ends().end());
  const InputTensors inputs(model.encoder);
  const PlainTensors plain(model);
  const unsigned version = model.method == model::Method::boosting ? 1 : format_version;

  Container file;
  file.metadata = {{"checksum", std::string(checksum_blank)},   {"format", format_name},
                   {"format_version", std::to_string(version)}, {"accrete_version", model.provenance.version},
                   {"task", data::task_name(model.task)},       {"model", write_description(model)}};
  // 8-byte numbers come first, which aligns every tensor for its type.
  file.tensors = {make_tensor<double>("output.prefix_bias", {net.steps() + 1, net.outputs()}, net.prefix_bias()),
                  make_tensor<std::int64_t>("step_ends", {ends.size()}, ends)};
  inputs.add_doubles(file);
  file.tensors.push_back(make_column("target.shift", model.target_shift));
  file.tensors.push_back(make_column("target.scale", model.target_scale));
  const auto add_curve = [&](const char* name, const std::vector<double>& curve) {
    if (!curve.empty()) file.tensors.push_back(make_column(name, curve));
  };
  add_curve("curve.train_loss", model.provenance.train_loss);
  add_curve("curve.validation_loss", model.provenance.validation_loss);
  add_curve("calibration.correction", model.calibration.corrections);
  plain.add_doubles(file);
  inputs.add_floats(file);
  file.tensors.push_back(make_tensor<float>("hidden.weight", {net.units(), net.features()}, net.hidden_weights()));
  file.tensors.push_back(make_tensor<float>("hidden.bias", {net.units()}, net.hidden_bias()));
  file.tensors.push_back(make_tensor<float>("output.weight", {net.units(), net.outputs()}, net.output_weights()));

  plain.add_floats(file);
  std::string bytes = write_container(file);
  const std::size_t place = checksum_place(bytes);
  bytes.replace(place, checksum_blank.size(), checksum(bytes, place));
  return bytes;
}

model::Model parse_model(std::string_view bytes, const std::string& source) {
  try {
    return parse(bytes);
  } catch (const core::Error& error) {
    constexpr std::size_t max_bytes = 300;  // the message may quote an untrusted file
    throw core::FileError(source + ": " + core::shorten(error.what(), max_bytes));
  }
}

void save_model(const model::Model& model, const std::string& path) {
  const std::string bytes = serialise(model);
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

model::Model load_model(const std::string& path) {
  return parse_model(read_bytes(path), path);
}

}  // namespace accrete::io
