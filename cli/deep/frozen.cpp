#include "cli/deep/frozen.hpp"

#include <fmt/format.h>

#include <chrono>

#include "accrete/deep/extract.hpp"
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
  add_example_flags(app, flags.examples);
  app.add_option("--cut", flags.cut,
                 "module whose output gives the features, e.g. classifier.3 (default: before the last two layers)")
      ->type_name("NAME")
      ->check(not_empty);
  add_part_flag(app, flags.examples, what);
  add_example_target_flags(app, flags.examples);
  app.add_option("--batch", flags.batch, "batch size (default: 256)")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000));
  add_torch_device_flag(app, flags.device);
}

Frozen compute_features(const FrozenFlags& flags, const Common& common, core::Workers& workers) {
  const deep::ExampleSource source = flags.examples.source();
  deep::Network network = deep::load_network(flags.network);
  // A network trained by accrete records its task and classes; for other networks they come from the data.
  deep::TrainingExamples opened =
      network.purpose ? deep::TrainingExamples{*network.purpose, {}} : deep::open_examples(source, workers);
  if (network.purpose) opened.examples = deep::read_examples(opened.purpose, source, workers);
  const torch::jit::Module module = deep::freeze(network, opened.purpose.inputs, flags.cut);

  catch_interrupts();
  ProgressBar bar(common);
  deep::Extraction how{.batch = flags.batch, .device = open_torch_device(flags.device, common)};
  how.see = [&](std::int64_t done, std::int64_t all) {
    bar.update(static_cast<std::size_t>(done), static_cast<std::size_t>(all), fmt::format("features of {} rows", done));
    return !interrupted();
  };
  const auto start = std::chrono::steady_clock::now();
  auto table = deep::extract(module, opened.examples, how);
  bar.clear();
  if (!table) throw Interrupted{fmt::format("stopped by {}; nothing was written", interrupt_name())};
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  deep::add_target(*table, opened.examples, opened.purpose);
  return {std::move(network), std::move(opened.purpose),         module,
          std::move(*table),  opened.examples.targets.defined(), seconds};
}

}  // namespace accrete::cli
