// accrete deep features: writes the features of a frozen backbone as CSV.

#include <fmt/format.h>

#include <memory>

#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/csv.hpp"
#include "cli/deep/frozen.hpp"
#include "cli/support/options.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {
namespace {

struct DeepFeaturesFlags {
  DeepFeaturesFlags() { frozen.dataset.part = "every"; }

  FrozenFlags frozen;
  std::string output;
};

void features(const DeepFeaturesFlags& flags, const Common& common) {
  if (flags.output.ends_with(".gz"))
    throw core::UsageError(fmt::format("-o {}: must not end in .gz; the output is not compressed", flags.output));
  check_output(flags.output, {flags.frozen.network, flags.frozen.dataset.path});
  core::Workers workers(common.threads);
  const FrozenBackbone frozen = compute_features(flags.frozen, common, workers);
  io::write_csv(frozen.table, flags.output);
  const std::size_t count = frozen.table.columns.size() - (frozen.has_target ? 1 : 0);
  if (common.json)
    print_json({{"table", flags.output},
                {"rows", frozen.table.rows()},
                {"features", count},
                {"target", frozen.has_target ? Json(frozen.table.columns.back().name) : Json()},
                {"seconds", frozen.seconds}});
  else
    note(common, fmt::format("{}: {} of {}{}, in {}", flags.output, core::counted(frozen.table.rows(), "row"),
                             core::counted(count, "feature"),
                             frozen.has_target ? fmt::format(" and '{}'", frozen.table.columns.back().name) : "",
                             show_seconds(frozen.seconds)));
}

}  // namespace

Run add_deep_features(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<DeepFeaturesFlags>();
  add_frozen_flags(app, flags->frozen, "write");
  app.add_option("-o,--output", flags->output, "CSV file to write: columns f0, f1, ... and the target")
      ->required()
      ->type_name("FILE")
      ->check(not_empty);
  return [flags, &common] { features(*flags, common); };
}

}  // namespace accrete::cli
