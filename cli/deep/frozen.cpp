#include "cli/deep/frozen.hpp"

#include <fmt/format.h>

#include <chrono>

#include "accrete/deep/extract_features.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/options.hpp"
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
}

FrozenBackbone compute_features(const FrozenFlags& flags, const Common& common, core::Workers& workers) {
  const deep::DatasetSource source = flags.dataset.source();
  deep::TorchNetwork network = deep::load_network(flags.network);
  auto [signature, dataset] = read_dataset_for(network, source, workers);
  const torch::jit::Module module = deep::freeze(network, signature.inputs, flags.cut);

  catch_interrupts();
  ProgressBar bar(common);
  deep::ExtractOptions options{.batch_size = flags.batch, .device = open_torch_device(flags.device, common)};
  options.observer = [&](std::int64_t done, std::int64_t total) {
    bar.update(static_cast<std::size_t>(done), static_cast<std::size_t>(total),
               fmt::format("features of {} rows", done));
    return !interrupted();
  };
  const auto start = std::chrono::steady_clock::now();
  auto table = deep::extract_features(module, dataset, options);
  bar.clear();
  if (!table) throw Interrupted{fmt::format("stopped by {}; nothing was written", interrupt_name())};
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  deep::add_target(*table, dataset, signature);
  return {std::move(network), std::move(signature), module, std::move(*table), dataset.targets.defined(), seconds};
}

}  // namespace accrete::cli
