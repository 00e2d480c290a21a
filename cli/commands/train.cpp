// accrete train: trains a model on a CSV file.

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "accrete/backend/rows.hpp"
#include "accrete/boosting/check_options.hpp"
#include "accrete/comm/agree.hpp"
#include "accrete/config/parameters.hpp"
#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/loss/list.hpp"
#include "cli/commands.hpp"
#include "cli/support/device.hpp"
#include "cli/support/fitting.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/plain_training.hpp"
#include "cli/support/ranks.hpp"
#include "cli/support/training_data.hpp"

namespace accrete::cli {
namespace {

namespace fs = std::filesystem;

struct TrainFlags {
  FitFlags fit;
  TargetFlags target;
  PlainFlags plain;
  std::string preset = "default";
  std::vector<std::string> probabilities;
  std::size_t checkpoint_every = 0;
  bool resume = false;

  std::string checkpoint() const { return fit.output + ".checkpoint"; }
};

/// data/ttt.csv.gz -> ttt.safetensors in the current directory.
std::string default_output(const std::string& data) {
  if (data == "-" || data.find_first_of("*?[") != data.npos) return "model.safetensors";
  fs::path name = fs::path(data).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string() + ".safetensors";
}

/// --target-proba a,b is --target a,b --loss cross_entropy.
void use_probabilities(TrainFlags& flags) {
  if (!flags.target.targets.empty()) throw core::UsageError("--target-proba: cannot be used with --target");
  flags.target.targets = flags.probabilities;
  const auto parameters = config::parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (std::string_view(parameters[i].name) == "loss" && flags.fit.parameters[i].empty())
      flags.fit.parameters[i] = loss::CrossEntropy::name;
}

void check(const TrainFlags& flags) {
  check_fit_flags(flags.fit);
  flags.target.chosen_task();
  backend::backend_named(flags.fit.backend);
  check_output(flags.fit.output, {flags.fit.read.file, flags.fit.validation});
  if (flags.checkpoint_every > 0) check_output(flags.checkpoint(), {flags.fit.read.file, flags.fit.validation});
}

/// Rejects flags that need a single process, as far as the library cannot check them.
void check_ranks(const TrainFlags& flags, const comm::Communicator& comm) {
  if (comm.size() == 1) return;
  if (flags.plain.chosen_method() != model::Method::boosting)
    throw core::UsageError(
        fmt::format("--method {}: runs in one process; start it without mpirun", flags.plain.method));
}

boosting::FitOptions options_without_data(const TrainFlags& flags) {
  boosting::FitOptions options;
  options.task = flags.target.chosen_task();
  options.preset = flags.preset;
  options.config = given_config(flags.fit.parameters);
  options.weight_column = flags.fit.read.weight_column;
  options.offset_column = flags.fit.read.offset_column;
  options.backend = flags.fit.backend;
  return options;
}

/// Sets the roles of columns by name, also in the flags that a continuation repeats: an index would name another column
/// in `grow`, which expands date columns before it looks up roles.
void set_columns(const TrainingData& data, TrainFlags& flags, boosting::FitOptions& options) {
  options.targets = data.targets;
  options.weight_column = flags.fit.read.weight_column = data.weight_column;
  options.offset_column = flags.fit.read.offset_column = data.offset_column;
  options.ignore = data.ignore;
}

void train(TrainFlags& flags, const Common& given, comm::Communicator& comm) {
  const Common common = common_of(comm, given);
  const bool chosen_output = flags.fit.output.empty();
  if (chosen_output) flags.fit.output = default_output(flags.fit.read.file);
  if (!flags.probabilities.empty()) use_probabilities(flags);
  check_ranks(flags, comm);
  comm::run_on_rank_0(comm, [&] { check(flags); });
  if (flags.plain.chosen_method() != model::Method::boosting) {
    if (chosen_output) note(common, fmt::format("no -o given: writing '{}'", flags.fit.output));
    return train_plain(flags.plain, flags.fit, flags.target, common);
  }
  core::Workers workers(common.threads);
  const auto device = open_device(flags.fit.device, common, comm);
  std::optional<model::Model> checkpoint;
  comm::run_on_rank_0(comm, [&] {
    if (flags.resume) checkpoint = read_checkpoint(flags.checkpoint(), common);
  });
  checkpoint = broadcast_model(comm, checkpoint);
  FitMonitor monitor(common, flags.checkpoint(), comm.rank() == 0 ? flags.checkpoint_every : 0);
  flags.fit.read.group_column = group_column_of(flags.fit.parameters);
  boosting::FitOptions options = options_without_data(flags);
  boosting::check_options(options);
  monitor.reading(flags.fit.read.file);
  TrainingData data = read_training_data(flags.fit.read, flags.target, common, workers,
                                         {.given = options.config, .validation = flags.fit.validation, .comm = comm});
  std::optional<data::Table> validation;
  comm::agree(comm, [&] {
    if (!flags.fit.validation.empty())
      validation = read_validation_data(flags.fit.validation, data, flags.fit.read, workers);
  });
  monitor.clear();

  set_columns(data, flags, options);
  options.validation = validation ? &*validation : nullptr;
  options.resume = checkpoint ? &*checkpoint : nullptr;
  options.workers = &workers;
  options.device = device.get();
  options.comm = &comm;
  monitor.start_fit();
  if (checkpoint) monitor.note_at_first_step("resuming from " + core::counted(checkpoint->network.units(), "unit"));
  options.choosing = monitor.choosing();
  const boosting::FitResult result = boosting::fit(std::move(data.table), options, monitor.observer());
  monitor.clear();
  const std::string how = flags.target.targets.empty() ? " (the last column; choose another with --target)" : "";
  if (chosen_output) note(common, fmt::format("no -o given: writing '{}'", flags.fit.output));
  const FitReport report{.result = result,
                         .flags = flags.fit,
                         .preset = flags.preset,
                         .target_note = how,
                         .seconds = monitor.seconds(),
                         .comm = comm,
                         .is_choice_complete = monitor.is_choice_complete(),
                         .has_checkpoint = monitor.has_checkpoint()};
  save_and_report(report, common, [&] {
    if (flags.checkpoint_every > 0 || checkpoint) fs::remove(flags.checkpoint());
  });
}

}  // namespace

Run add_train(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<TrainFlags>();
  app.add_option("-o,--output", flags->fit.output, "model file to write (default: DATA.safetensors)")
      ->type_name("FILE")
      ->check(not_empty);
  add_target_flags(app, flags->target);
  app.add_option("--target-proba", flags->probabilities,
                 "columns of probabilities to predict, such as those of another model; a,b or repeated")
      ->type_name("COLUMN")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_preset_flag(app, flags->preset);
  app.add_option("--checkpoint-every", flags->checkpoint_every,
                 "write OUTPUT.checkpoint every N units; removed at the end")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000));
  app.add_flag("--resume", flags->resume, "resume from OUTPUT.checkpoint, if it exists");
  add_device_flag(app, flags->fit.device);
  add_fit_flags(app, flags->fit);
  add_plain_flags(app, flags->plain);
  return [flags, &app, &common] {
    flags->plain.check(app, flags->fit);
    run_on_ranks([&](comm::Communicator& comm) { train(*flags, common, comm); });
  };
}

}  // namespace accrete::cli
