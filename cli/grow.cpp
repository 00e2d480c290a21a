// accrete grow: more units for a model that is there.

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "accrete/backend/rows.hpp"
#include "accrete/io/model_file.hpp"
#include "cli/commands.hpp"
#include "cli/device.hpp"
#include "cli/fitting.hpp"

namespace accrete::cli {
namespace {

struct Flags {
  std::string model, device = "cpu";
  FitFlags fit;
};

void grow(const Flags& flags, const Common& common) {
  check_fit_flags(flags.fit);
  backend::backend_named(flags.fit.backend);
  // The model itself may be the output: it is replaced whole or not at all.
  check_output(flags.fit.output, {flags.fit.read.file, flags.fit.validation});
  core::Workers workers(common.threads);
  const auto machine = open_machine(flags.device, common);
  const model::Model model = io::load_model(flags.model);
  data::Table table = read_table_for(model, flags.fit.read, workers);
  std::optional<data::Table> validation;
  if (!flags.fit.validation.empty()) {
    ReadFlags read = flags.fit.read;
    read.file = flags.fit.validation;
    validation = read_table_for(model, read, workers);
  }
  boosting::FitOptions options;
  options.overrides = overrides_of(flags.fit.parameters);
  options.weight_column = flags.fit.read.weight_column;
  options.validation = validation ? &*validation : nullptr;
  options.backend = flags.fit.backend;
  options.workers = &workers;
  options.machine = machine.get();

  FitWatch watch(common, "", 0);
  const boosting::FitResult result = boosting::grow(model, std::move(table), options, watch.observer());
  watch.clear();
  save_and_report({result, flags.fit, "", "", watch.seconds()}, common);
}

}  // namespace

Run add_grow(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<Flags>();
  app.add_option("model", flags->model, "model file to go on from")->required()->type_name("MODEL");
  app.add_option("-o,--output", flags->fit.output, "model file to write; may be the same")
      ->required()
      ->type_name("FILE");
  add_device_flag(app, flags->device);
  add_fit_flags(app, flags->fit);
  app.get_option("--units")->required();
  for (CLI::Option* option : app.get_options())
    if (option->get_group().starts_with("Parameters"))
      option->group("Parameters, each taken from the model unless given");
  return [flags, &common] { grow(*flags, common); };
}

}  // namespace accrete::cli
