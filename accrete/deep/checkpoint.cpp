#include "accrete/deep/checkpoint.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <sstream>

#include "accrete/core/error.hpp"
#include "accrete/io/atomic_file.hpp"

namespace accrete::deep {
namespace {

using Json = nlohmann::json;

struct LoadedCheckpoint {
  Json about;
  std::vector<torch::Tensor> weights;
  torch::serialize::InputArchive solver;
};

std::string weight_name(std::size_t i) {
  return fmt::format("weight{}", i);
}

/// Replaces any error of libtorch or the JSON parser by a one-line FileError.
LoadedCheckpoint load_parts(const std::string& path, std::size_t weights, torch::Device device) {
  try {
    torch::serialize::InputArchive archive;
    archive.load_from(path, device);
    LoadedCheckpoint loaded;
    c10::IValue text;
    archive.read("about", text);
    loaded.about = Json::parse(text.toStringRef());
    for (std::size_t i = 0; i < weights; ++i) archive.read(weight_name(i), loaded.weights.emplace_back());
    archive.read("solver", loaded.solver);
    loaded.about.at("settings");
    loaded.about.at("curves");
    return loaded;
  } catch (const std::exception&) {
    throw core::FileError(fmt::format("'{}' is damaged, or is not a checkpoint of this network", path));
  }
}

void check_settings(const Json& recorded, const Json& current, const std::string& path) {
  for (const auto& [name, value] : current.items()) {
    const Json before = recorded.is_object() ? recorded.value(name, Json()) : Json();
    if (before == value) continue;
    if (name == "data") throw core::UsageError(fmt::format("the checkpoint '{}' was written for other data", path));
    throw core::UsageError(
        fmt::format("the checkpoint '{}' was written with {} {}, not {}", path, name, before.dump(), value.dump()));
  }
}

}  // namespace

void save_checkpoint(const Checkpoint& checkpoint, const TorchNetwork& network,
                     const torch::optim::Optimizer& optimizer, const std::string& path) {
  io::AtomicFile file(path);
  torch::serialize::OutputArchive archive;
  archive.write("about", c10::IValue(Json{{"settings", checkpoint.settings}, {"curves", checkpoint.curves}}.dump()));
  std::size_t i = 0;
  for (const torch::Tensor& weight : network.module.parameters()) archive.write(weight_name(i++), weight.detach());
  torch::serialize::OutputArchive solver(archive.compilation_unit());
  optimizer.save(solver);
  archive.write("solver", solver);
  std::ostringstream bytes;
  archive.save_to(bytes);
  file.write(bytes.str());
  file.commit();
}

Json load_checkpoint(const Json& settings, TorchNetwork& network, torch::optim::Optimizer& optimizer,
                     const std::string& path) {
  std::vector<torch::Tensor> weights;
  for (const torch::Tensor& weight : network.module.parameters()) weights.push_back(weight);
  LoadedCheckpoint loaded = load_parts(path, weights.size(), weights.front().device());
  check_settings(loaded.about["settings"], settings, path);
  try {
    const torch::NoGradGuard no_gradients;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      TORCH_CHECK(weights[i].sizes() == loaded.weights[i].sizes(), "shape");
      weights[i].copy_(loaded.weights[i]);
    }
    optimizer.load(loaded.solver);
  } catch (const std::exception&) {
    throw core::FileError(fmt::format("'{}' is damaged, or is not a checkpoint of this network", path));
  }
  return loaded.about["curves"];
}

}  // namespace accrete::deep
