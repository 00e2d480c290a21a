#include "cli/deep/frozen.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "accrete/core/counted.hpp"
#include "accrete/deep/checksum.hpp"
#include "accrete/deep/extract_features.hpp"
#include "accrete/deep/signature_json.hpp"
#include "accrete/io/text_file.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/options.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/print.hpp"
#include "cli/support/progress.hpp"

namespace accrete::cli {

void add_frozen_flags(CLI::App& app, FrozenFlags& flags, const std::string& what) {
  app.add_option("network", flags.network, "file of accrete deep train, or a TorchScript module")
      ->required()
      ->type_name("NETWORK")
      ->check(not_empty);
  add_dataset_flags(app, flags.dataset);
  app.add_option("--cut", flags.cut,
                 "module whose output gives the features, e.g. classifier.3 (default: before the last two layers)")
      ->type_name("NAME")
      ->check(not_empty);
  add_part_flag(app, flags.dataset, what);
  add_dataset_target_flags(app, flags.dataset);
  app.add_option("--batch", flags.batch, "batch size (default: 256)")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000));
  add_torch_device_flag(app, flags.device);
  app.add_option("--feature-file", flags.feature_file,
                 "keep features in FILE and FILE.journal; a stopped command continues from them")
      ->type_name("FILE")
      ->check(not_empty);
}

namespace {

/// The file of --feature-file, for the features of this network.
std::unique_ptr<deep::FeatureFile> open_feature_file(const FrozenFlags& flags, const deep::Inputs& inputs) {
  if (flags.feature_file.empty()) return nullptr;
  check_output(flags.feature_file, {flags.network, flags.dataset.path});
  deep::Signature input;
  input.inputs = inputs;
  return std::make_unique<deep::FeatureFile>(
      flags.feature_file, nlohmann::json{{"network", deep::checksum(io::read_text_file(flags.network))},
                                         {"input", deep::checksum(deep::signature_json(input).dump())},
                                         {"cut", flags.cut},
                                         {"batch", flags.batch}});
}

[[noreturn]] void interrupt(const FrozenFlags& flags, std::int64_t done) {
  throw Interrupted{flags.feature_file.empty()
                        ? fmt::format("stopped by {}; nothing was written; --feature-file FILE makes this resumable",
                                      interrupt_name())
                        : fmt::format("stopped by {} after the features of {}; rerun the command to continue",
                                      interrupt_name(), core::counted(static_cast<std::size_t>(done), "row"))};
}

}  // namespace

FrozenBackbone compute_features(const FrozenFlags& flags, const Common& common, core::Workers& workers) {
  const deep::DatasetSource source = flags.dataset.source();
  deep::TorchNetwork network = deep::load_network(flags.network);
  auto [signature, dataset] = read_dataset_for(network, source, workers);
  const torch::jit::Module module = deep::freeze(network, signature.inputs, flags.cut);

  const auto file = open_feature_file(flags, signature.inputs);
  if (file && file->stored_rows() > 0)
    note(common, fmt::format("{}: has the features of {}", file->path(),
                             core::counted(static_cast<std::size_t>(file->stored_rows()), "row")));
  ProgressBar bar(common);
  std::int64_t finished = 0;
  deep::ExtractOptions options{.batch_size = flags.batch, .device = open_torch_device(flags.device, common)};
  options.file = file.get();
  options.observer = [&](std::int64_t done, std::int64_t total) {
    finished = done;
    bar.update(static_cast<std::size_t>(done), static_cast<std::size_t>(total),
               fmt::format("features of {} rows", done));
    return !interrupted();
  };
  const auto start = std::chrono::steady_clock::now();
  auto table = deep::extract_features(module, dataset, options);
  bar.clear();
  if (!table) interrupt(flags, finished);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  deep::add_target(*table, dataset, signature);
  return {std::move(network), std::move(signature), module, std::move(*table), dataset.targets.defined(), seconds};
}

}  // namespace accrete::cli
