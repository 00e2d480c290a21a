// accrete evaluate: all metrics of a model on labelled rows, at one or several numbers of units.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "accrete/boosting/read.hpp"
#include "accrete/boosting/shared_table.hpp"
#include "accrete/comm/agree.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/core/error.hpp"
#include "accrete/metric/list.hpp"
#include "accrete/metric/per_class.hpp"
#include "accrete/model/interval.hpp"
#include "accrete/model/offsets.hpp"
#include "accrete/model/overflow.hpp"
#include "cli/commands.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/options.hpp"
#include "cli/support/print.hpp"
#include "cli/support/progress.hpp"
#include "cli/support/ranks.hpp"
#include "cli/support/read_files.hpp"

namespace accrete::cli {
namespace {

std::string show_share(double value) {
  return show_metric(metric::Accuracy::name, value);
}

struct EvaluateFlags {
  std::string model;
  ReadFlags read;
  std::vector<std::string> units;
};

/// A prefix: the requested number of units (0: not given) and its number of steps.
struct Prefix {
  std::size_t asked, steps;
};

/// The labelled rows of a file. Rows of a class that the model does not know have weight 0.
struct Labelled {
  std::size_t rows;
  core::Matrix<double> targets;
  std::vector<double> weights;       ///< empty: all 1
  std::size_t unknown;               ///< rows of an unknown class
  std::vector<double> offsets = {};  ///< empty: none
};

struct PrefixResult {
  Prefix prefix;
  std::vector<std::pair<std::string, double>> metrics;
  std::vector<metric::ClassCounts> classes;  ///< empty for regression
};

std::size_t whole_units(const std::string& text) {
  const auto number = data::parse_number(text);
  if (!number || !(*number >= 1.0 && *number <= 1e9) ||
      *number != static_cast<double>(static_cast<std::size_t>(*number)))
    throw core::UsageError(fmt::format("--units {}: must be all or integers of at least 1", text));
  return static_cast<std::size_t>(*number);
}

Labelled read_labels(const model::Model& model, const data::Table& table, const EvaluateFlags& flags,
                     const Common& common) {
  const auto columns = boosting::target_columns_of(model, table);
  data::KnownTarget target = data::read_known_target(table, columns, model.task, model.classes);
  std::vector<double> weights;
  if (!flags.read.weight_column.empty()) weights = boosting::read_weights(table, flags.read.weight_column);
  if (!target.unknown.empty()) {
    weights.resize(table.rows(), 1.0);
    for (const std::size_t r : target.unknown) weights[r] = 0.0;
    note(common,
         fmt::format("{} of {} rows are not measured: the model does not know {} {}", target.unknown.size(),
                     table.rows(), target.labels.size() == 1 ? "the class" : "the classes", show_list(target.labels)));
  }
  return {.rows = table.rows(),
          .targets = std::move(target.values),
          .weights = std::move(weights),
          .unknown = target.unknown.size(),
          .offsets = boosting::read_offsets_of(model, table, flags.read.offset_column)};
}

/// Gathers the predictions of all ranks.
core::Matrix<double> gather_rows(core::MatrixView<const double> own, std::size_t rows, comm::Communicator& comm) {
  core::Matrix<double> all(rows, own.cols);
  if (comm.size() == 1)
    std::ranges::copy(own.flat(), all.flat().begin());
  else
    std::ranges::copy(comm::gather_values<double>(comm, own.flat()).values, all.flat().begin());
  return all;
}

/// `table` has the rows of this rank, `data` those of all.
std::vector<PrefixResult> measure(const model::Model& model, const std::vector<Prefix>& prefixes,
                                  const data::Table& table, const Labelled& data, const RankResources& with) {
  core::Workers& workers = with.workers;
  comm::Communicator& comm = with.comm;
  std::vector<PrefixResult> results;
  const auto add = [&](Prefix prefix, core::MatrixView<const double> predicted) {
    core::Matrix<double> predictions = gather_rows(predicted, data.rows, comm);
    if (!data.offsets.empty()) model::add_offsets(model, data.offsets, predictions);
    model::refuse_overflow(predictions, table.source);
    const metric::LabelledPredictions labelled{predictions, data.targets, data.weights, model.point()};
    results.push_back({prefix, metric::all_for(model.task, labelled), {}});
    if (model.calibration.coverage > 0.0) {
      const auto quality = model::measure_intervals(model, predictions, prefix.steps, data.targets, data.weights);
      results.back().metrics.emplace_back("coverage", quality.coverage);
      results.back().metrics.emplace_back(model.classes.empty() ? "interval_width" : "set_size", quality.size);
    }
    if (!model.classes.empty()) results.back().classes = metric::count_classes(labelled);
  };
  if (prefixes.empty()) {
    ProgressBar bar(with.common);
    model::predict_staged(model, table, workers, [&](std::size_t steps, core::MatrixView<const double> predictions) {
      if (comm.size() == 1) stop_if_interrupted();
      bar.update(steps, model.network.steps(), fmt::format("{} of {} steps", steps, model.network.steps()));
      if (steps > 0 || model.network.steps() == 0) add({model.network.units_after(steps), steps}, predictions);
    });
    return results;
  }
  for (const Prefix& prefix : prefixes) {
    core::Matrix<double> own;
    const WorkProgress progress(with.common, workers, "predicting", comm);
    comm::agree(
        comm, [&] { own = model::predict(model, table, prefix.steps, workers); }, [&] { return table.rows(); });
    add(prefix, own);
  }
  return results;
}

Json classes_json(const model::Model& model, const PrefixResult& result) {
  Json list = Json::array();
  for (std::size_t k = 0; k < result.classes.size(); ++k) {
    const metric::ClassCounts& one = result.classes[k];
    list.push_back({{"class", model.classes[k]},
                    {"rows", one.rows},
                    {"precision", one.precision()},
                    {"recall", one.recall()},
                    {"f1", one.f1()}});
  }
  return list;
}

/// A table of the classes' metrics for the last, largest prefix.
std::string classes_table(const model::Model& model, const PrefixResult& result) {
  std::vector<std::vector<std::string>> rows{{"class", "rows", "precision", "recall", "f1"}};
  for (std::size_t k = 0; k < result.classes.size(); ++k) {
    const metric::ClassCounts& one = result.classes[k];
    rows.push_back({model.classes[k], show_number(one.rows), show_share(one.precision()), show_share(one.recall()),
                    show_number(one.f1())});
  }
  return draw_table(rows);
}

void report(const model::Model& model, const Labelled& data, const std::vector<PrefixResult>& results,
            const Common& common) {
  Json list = Json::array();
  std::vector<std::vector<std::string>> rows{{"units", "steps"}};
  for (const PrefixResult& result : results) {
    const std::size_t units = model.units_after(result.prefix.steps);
    Json entry{
        {"units", units}, {"asked", result.prefix.asked ? result.prefix.asked : units}, {"steps", result.prefix.steps}};
    std::vector<std::string> row{std::to_string(units), std::to_string(result.prefix.steps)};
    for (const auto& [name, value] : result.metrics) {
      entry[name] = value;
      if (rows.size() == 1) rows[0].push_back(name);
      row.push_back(show_metric(name, value));
    }
    if (!result.classes.empty()) entry["classes"] = classes_json(model, result);
    list.push_back(std::move(entry));
    rows.push_back(std::move(row));
  }
  if (common.json)
    print_json({{"rows", data.rows - data.unknown},
                {"rows_of_unknown_class", data.unknown},
                {"task", data::task_name(model.task)},
                {"metric", metric::primary(model.task)},
                {"results", list}});
  else
    print(draw_table(rows) + (model.classes.empty() ? "" : "\n" + classes_table(model, results.back())));
}

/// The prefixes that --units names; empty: all of them.
std::vector<Prefix> read_prefixes(const EvaluateFlags& flags, const model::Model& model, const Common& common) {
  if (flags.units.size() == 1 && flags.units[0] == "all") return {};
  std::vector<Prefix> prefixes;
  for (const std::string& text : flags.units) {
    const std::size_t asked = whole_units(text);
    prefixes.push_back({asked, steps_for(model, asked, common)});
  }
  if (prefixes.empty()) prefixes.push_back({0, model.network.steps()});
  return prefixes;
}

/// Gathers labels, weights and offsets of all ranks' rows.
Labelled gather_labels(const model::Model& model, const data::Table& table, const EvaluateFlags& flags,
                       const Common& common, comm::Communicator& comm) {
  if (comm.size() == 1) return read_labels(model, table, flags, common);
  std::vector<std::string> names = model.targets;
  for (const std::string& column : {flags.read.weight_column, flags.read.offset_column})
    if (!column.empty()) names.push_back(table.columns[table.require(column)].name);
  if (!model.offset_column.empty() && table.find(model.offset_column)) names.push_back(model.offset_column);
  return read_labels(model, boosting::SharedTable(table, comm).gather_columns(names), flags, common);
}

void evaluate(const EvaluateFlags& flags, const Common& given, comm::Communicator& comm) {
  const Common common = common_of(comm, given);
  core::Workers workers(common.threads);
  const model::Model model = load_model_on_ranks(flags.model, comm);
  const std::vector<Prefix> prefixes = read_prefixes(flags, model, common);
  const data::Table table = read_table_for(model, flags.read, workers, Targets::required, comm);
  const Labelled data = gather_labels(model, table, flags, common, comm);
  const std::vector<PrefixResult> results = measure(model, prefixes, table, data, {common, workers, comm});
  comm::run_on_rank_0(comm, [&] { report(model, data, results, common); });
}

}  // namespace

Run add_evaluate(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<EvaluateFlags>();
  app.add_option("model", flags->model, "model file")->required()->type_name("MODEL");
  add_read_flags(app, flags->read);
  app.add_option("--units", flags->units,
                 "use the first N units, rounded down to a step; a,b,c for several, all for every step (default: all "
                 "units)")
      ->type_name("N")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_weight_flag(app, flags->read);
  add_offset_flag(app, flags->read);
  return [flags, &common] { run_on_ranks([&](comm::Communicator& comm) { evaluate(*flags, common, comm); }); };
}

}  // namespace accrete::cli
