// accrete predict: writes predictions as CSV, in row order.

#include <fmt/format.h>

#include <memory>
#include <numeric>
#include <optional>

#include "accrete/boosting/read.hpp"
#include "accrete/comm/agree.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/atomic_file.hpp"
#include "accrete/io/csv.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/model/interval.hpp"
#include "accrete/model/offsets.hpp"
#include "accrete/model/overflow.hpp"
#include "accrete/model/predict_exit.hpp"
#include "cli/commands.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/options.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/print.hpp"
#include "cli/support/progress.hpp"
#include "cli/support/ranks.hpp"
#include "cli/support/read_files.hpp"

namespace accrete::cli {
namespace {

struct PredictFlags {
  std::string model;
  ReadFlags read;
  std::optional<std::size_t> units;
  bool proba = false, interval = false, exit = false;
  std::string output = "-";
};

std::string header(const model::Model& model, bool proba) {
  std::vector<std::string> names;
  if (!model.loss.quantiles().empty() && !model::predicts_median(model))
    names = model.prediction_names();
  else if (model.targets.size() == 1)
    names.push_back("prediction");
  else
    for (const auto& target : model.targets) names.push_back("prediction_" + target);
  for (std::size_t k = 0; proba && k < model.classes.size(); ++k) names.push_back("p_" + model.classes[k]);
  std::string line;
  for (const auto& name : names) line += (line.empty() ? "" : ",") + io::csv_field(name);
  return line + "\n";
}

/// Numbers are written with the fewest digits that round-trip.
void append_row(std::string& text, const std::vector<std::string>& labels, std::span<const double> prediction,
                bool proba) {
  if (!labels.empty()) text += labels[model::best_class(prediction)];
  for (std::size_t k = 0; k < prediction.size() && (labels.empty() || proba); ++k) {
    if (k > 0 || !labels.empty()) text += ',';
    fmt::format_to(std::back_inserter(text), "{}", prediction[k]);
  }
  text += '\n';
}

/// "prediction,lower,upper" per row, or "prediction,set" with the classes of the set separated by |.
void write_intervals(const model::Model& model, const core::Matrix<double>& predictions, std::size_t steps,
                     bool with_header, const Emit& write) {
  const bool classes = !model.classes.empty();
  std::string text = !with_header ? "" : classes ? "prediction,set\n" : "prediction,lower,upper\n";
  const auto found =
      classes ? model::sets_of(model, predictions, steps) : model::intervals_of(model, predictions, steps);
  for (std::size_t r = 0; r < predictions.rows(); ++r) {
    if (!classes) {
      text += fmt::format("{},{},{}\n", predictions(r, model.point().column), found(r, 0), found(r, 1));
      continue;
    }
    std::string set;
    for (std::size_t k = 0; k < found.cols(); ++k)
      if (found(r, k) > 0.0) set += (set.empty() ? "" : "|") + model.classes[k];
    text += io::csv_field(model.classes[model::best_class(predictions.row(r))]) + "," + io::csv_field(set) + "\n";
  }
  write(text);
}

void write_rows(const model::Model& model, const core::Matrix<double>& predictions, bool proba, bool with_header,
                const Emit& write) {
  constexpr std::size_t block = 1 << 18;
  std::vector<std::string> labels;
  for (const auto& name : model.classes) labels.push_back(io::csv_field(name));
  std::string text = with_header ? header(model, proba) : "";
  for (std::size_t r = 0; r < predictions.rows(); ++r) {
    append_row(text, labels, predictions.row(r), proba);
    if (text.size() < block) continue;
    write(text);
    text.clear();
  }
  write(text);
}

core::Matrix<double> take_column(const core::Matrix<double>& predictions, std::size_t column) {
  core::Matrix<double> result(predictions.rows(), 1);
  for (std::size_t r = 0; r < predictions.rows(); ++r) result(r, 0) = predictions(r, column);
  return result;
}

void check_exit(const PredictFlags& flags, const model::Model& model) {
  if (flags.units)
    throw core::UsageError("--exit and --units cannot be used together: rows that do not stop use all units");
  if (flags.interval) throw core::UsageError("--exit and --interval cannot be used together");
  if (!flags.read.offset_column.empty()) throw core::UsageError("--exit and --offset-column cannot be used together");
  model::require_early_exit(model);
}

/// Predictions for the rows of this rank, and totals over all ranks.
struct Predicted {
  core::Matrix<double> values;
  std::size_t rows = 0;     ///< of all ranks
  double mean_units = 0.0;  ///< per row
};

Predicted predict_rows(const model::Model& model, const PredictFlags& flags, std::size_t steps,
                       const RankResources& with) {
  core::Workers& workers = with.workers;
  comm::Communicator& comm = with.comm;
  const data::Table table = read_table_for(model, flags.read, workers, Targets::optional, comm);
  const WorkProgress progress(with.common, workers, "predicting", comm);
  Predicted result{.values = {}, .mean_units = static_cast<double>(model.units_after(steps))};
  std::size_t used = 0;
  comm::agree(
      comm,
      [&] {
        if (flags.exit) {
          model::ExitPredictions predictions = model::predict_exit(model, table, workers);
          used = std::accumulate(predictions.units.begin(), predictions.units.end(), std::size_t{0});
          result.values = std::move(predictions.values);
        } else {
          result.values = model::predict(model, table, steps, workers);
        }
        const auto offsets = boosting::read_offsets_of(model, table, flags.read.offset_column);
        if (!offsets.empty()) model::add_offsets(model, offsets, result.values);
        model::refuse_overflow(result.values, table.source);
      },
      [&] { return table.rows(); });
  result.rows = comm::sum(comm, table.rows());
  used = comm::sum(comm, used);
  if (flags.exit && result.rows > 0) result.mean_units = static_cast<double>(used) / static_cast<double>(result.rows);
  return result;
}

/// A reader of the file splits a set at |.
void check_sets(const model::Model& model) {
  model::require_calibration(model);
  for (const std::string& name : model.classes)
    if (name.find('|') != name.npos)
      throw core::UsageError(fmt::format(
          "--interval: the class '{}' contains |, which separates the classes of a set; rename it and train again",
          name));
}

void check(const PredictFlags& flags, const model::Model& model) {
  if (flags.proba && model.classes.empty())
    throw core::UsageError(fmt::format("--proba: {} is a regression model", flags.model));
  if (flags.interval) check_sets(model);
  if (flags.interval && flags.proba) throw core::UsageError("--interval and --proba cannot be used together");
  if (flags.exit) check_exit(flags, model);
}

/// Writes the predictions of all ranks in row order; rank 0 writes the header first.
void write_predictions(const model::Model& model, const Predicted& predicted, const PredictFlags& flags,
                       std::size_t steps, comm::Communicator& comm, const Emit& write) {
  const bool first = comm.rank() == 0;
  write_from_ranks(
      comm,
      [&](const Emit& emit) {
        if (flags.interval)
          write_intervals(model, predicted.values, steps, first, emit);
        else if (model::predicts_median(model))
          write_rows(model, take_column(predicted.values, model.point().column), false, first, emit);
        else
          write_rows(model, predicted.values, flags.proba, first, emit);
      },
      write);
}

void report(const model::Model& model, const Predicted& predicted, const PredictFlags& flags, std::size_t steps,
            const Common& common) {
  if (common.json) {
    Json result{{"rows", predicted.rows},
                {"units", model.units_after(steps)},
                {"steps", steps},
                {"model", flags.model},
                {"output", flags.output}};
    if (flags.exit) result["mean_units"] = predicted.mean_units;
    print_json(result);
  } else if (!common.quiet) {
    print(fmt::format("{}: {} of {}{}\n", flags.output, core::counted(predicted.rows, "prediction"),
                      core::counted(model.units_after(steps), "unit"),
                      flags.exit ? fmt::format(", of which a row used {:.1f} on average", predicted.mean_units) : ""));
  }
}

void predict(const PredictFlags& flags, const Common& given, comm::Communicator& comm) {
  const Common common = common_of(comm, given);
  if (flags.output == "-" && given.json)
    throw core::UsageError("--json needs -o FILE, because standard output holds the predictions");
  core::Workers workers(common.threads);
  const model::Model model = load_model_on_ranks(flags.model, comm, [&](const model::Model& read) {
    check(flags, read);
    if (flags.output != "-") check_output(flags.output, {flags.model, flags.read.file});
  });
  const std::size_t steps = steps_for(model, flags.units.value_or(0), common);
  const Predicted predicted = predict_rows(model, flags, steps, {common, workers, comm});
  const auto poll = [&] {
    if (comm.size() == 1) stop_if_interrupted();
  };
  if (flags.output == "-")
    return write_predictions(model, predicted, flags, steps, comm,
                             [&](const std::string& text) { poll(), print(text); });
  std::optional<io::AtomicFile> file;
  comm::run_on_rank_0(comm, [&] { file.emplace(flags.output); });
  write_predictions(model, predicted, flags, steps, comm, [&](const std::string& text) { poll(), file->write(text); });
  comm::run_on_rank_0(comm, [&] {
    file->commit();
    report(model, predicted, flags, steps, common);
  });
}

}  // namespace

Run add_predict(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<PredictFlags>();
  app.add_option("model", flags->model, "model file")->required()->type_name("MODEL");
  add_read_flags(app, flags->read);
  add_offset_flag(app, flags->read);
  app.add_option("--units", flags->units, "use the first N units, rounded down to a step (default: all)")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000));
  app.add_flag("--proba", flags->proba, "also write a probability column p_CLASS per class");
  app.add_flag("--interval", flags->interval,
               "write the calibrated interval, lower and upper, or the set of classes (train with --interval 0.9)");
  app.add_flag(
      "--exit", flags->exit,
      "stop each row once its prediction is settled, with the guarantee that 'accrete dial' stored in the model");
  app.add_option("-o,--output", flags->output, "CSV file to write (default: standard output)")
      ->type_name("FILE")
      ->check(not_empty);
  return [flags, &common] { run_on_ranks([&](comm::Communicator& comm) { predict(*flags, common, comm); }); };
}

}  // namespace accrete::cli
