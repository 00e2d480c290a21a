// accrete grow: adds units to a trained model.

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "accrete/backend/rows.hpp"
#include "accrete/boosting/choose/growth_config.hpp"
#include "accrete/comm/agree.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/model/plain.hpp"
#include "cli/commands.hpp"
#include "cli/support/device.hpp"
#include "cli/support/fitting.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/ranks.hpp"
#include "cli/support/read_files.hpp"

namespace accrete::cli {
namespace {

struct GrowFlags {
  std::string model;
  FitFlags fit;
};

/// The parameters of calibration, which the help does not list.
constexpr const char* needs_train[] = {"interval", "calibration_fraction"};

void check_no_interval(const FitFlags& flags) {
  for (const char* name : needs_train)
    if (const auto value = given_text(flags.parameters, name))
      throw core::UsageError(
          core::parameter(name, *value),
          "grow cannot calibrate intervals, because the network has seen all rows; train a new one with --interval");
}

void grow(const GrowFlags& flags, const Common& given, comm::Communicator& comm) {
  const Common common = common_of(comm, given);
  comm::run_on_rank_0(comm, [&] {
    check_fit_flags(flags.fit);
    check_no_interval(flags.fit);
    backend::backend_named(flags.fit.backend);
    // The output may overwrite the model itself, which is replaced atomically.
    check_output(flags.fit.output, {flags.fit.read.file, flags.fit.validation});
  });
  core::Workers workers(common.threads);
  const auto device = open_device(flags.fit.device, common, comm);
  const model::Model model = load_model_on_ranks(flags.model, comm, [&](const model::Model& loaded) {
    model::require_grown(loaded, "grow");
    boosting::growth_config(loaded, given_config(flags.fit.parameters));
  });
  FitMonitor monitor(common, "", 0);
  monitor.reading(flags.fit.read.file);
  data::Table table = read_table_for(model, flags.fit.read, workers, Targets::required, comm);
  std::optional<data::Table> validation;
  comm::agree(comm, [&] {
    if (flags.fit.validation.empty()) return;
    ReadFlags read = flags.fit.read;
    read.file = flags.fit.validation;
    read.weight_column.clear();  // optional in the validation file
    validation = read_table_for(model, read, workers, Targets::required);
  });
  monitor.clear();
  boosting::FitOptions options;
  options.config = given_config(flags.fit.parameters);
  options.weight_column = flags.fit.read.weight_column;
  options.offset_column = flags.fit.read.offset_column;
  options.validation = validation ? &*validation : nullptr;
  options.backend = flags.fit.backend;
  options.workers = &workers;
  options.device = device.get();
  options.comm = &comm;

  monitor.start_fit();
  const boosting::FitResult result = boosting::grow(model, std::move(table), options, monitor.observer());
  monitor.clear();
  save_and_report({.result = result,
                   .flags = flags.fit,
                   .preset = "",
                   .target_note = "",
                   .seconds = monitor.seconds(),
                   .comm = comm},
                  common);
}

}  // namespace

Run add_grow(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<GrowFlags>();
  app.add_option("model", flags->model, "model file to add units to")->required()->type_name("MODEL");
  app.add_option("-o,--output", flags->fit.output, "model file to write; may be the input")
      ->required()
      ->type_name("FILE");
  add_device_flag(app, flags->fit.device);
  add_fit_flags(app, flags->fit);
  app.get_option("--units")->required();
  replace_defaults(app, "Parameters (default: from the model)");
  for (const char* name : needs_train) app.get_option(flag_of(name))->group("");
  return [flags, &common] { run_on_ranks([&](comm::Communicator& comm) { grow(*flags, common, comm); }); };
}

}  // namespace accrete::cli
