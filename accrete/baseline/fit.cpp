#include "accrete/baseline/fit.hpp"

#include <utility>

#include "accrete/baseline/adaboost.hpp"
#include "accrete/baseline/train.hpp"
#include "accrete/boosting/encode.hpp"
#include "accrete/boosting/notes.hpp"
#include "accrete/boosting/read.hpp"
#include "accrete/boosting/split.hpp"
#include "accrete/boosting/target_scale.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/version.hpp"
#include "accrete/data/encoder/encode_sparse.hpp"

namespace accrete::baseline {
namespace {

const char* loss_for(data::Task task) {
  switch (task) {
    case data::Task::regression:
      return "squared";
    case data::Task::binary:
      return "logistic";
    case data::Task::multiclass:
      return "softmax";
  }
  return "";
}

struct PlainTable {
  const data::Table& table;
  const data::Target& target;
  std::span<const double> weights;
  std::span<const std::size_t> listed;   ///< rows to fit; empty: all
  std::span<const std::size_t> columns;  ///< feature columns
  core::Workers& workers;
};

/// Encodes the rows to fit; stores encoder and target scale in the model.
data::Dataset encode_rows(FitResult& result, const PlainTable& rows) {
  model::Model& model = result.model;
  const data::Split split{boosting::rows_to_fit(rows.table, rows.weights, rows.listed), {}};
  const config::ResolvedConfig plain{.loss = model.loss.name()};
  model.target_shift.assign(rows.target.names.size(), 0.0);
  model.target_scale.assign(rows.target.names.size(), 1.0);
  if (result.config.standardise_target) {
    auto scale = boosting::target_scale({rows.target.values, rows.weights}, split.train, plain);
    model.target_shift = std::move(scale.shift);
    model.target_scale = std::move(scale.scale);
  }
  model.encoder = data::Encoder::fit(rows.table, rows.columns, {split.train, rows.weights}, {}, &rows.workers);
  if (auto note = boosting::note_lost_digits(model.encoder, rows.table)) result.notes.push_back(std::move(*note));
  model.provenance.training_rows = split.train.size();
  return boosting::encode_split({.source = {rows.table},
                                 .targets = rows.target.values,
                                 .weights = rows.weights,
                                 .model = model,
                                 .config = plain,
                                 .workers = rows.workers},
                                split)
      .train;
}

void train_network(FitResult& result, const backend::TrainingProblem& problem, const Observer& observer) {
  const ResolvedConfig& config = result.config;
  IterationObserver observe;
  if (observer) observe = [&](std::size_t done, double loss) { return observer({done, config.max_iter, loss}); };
  TrainedNetwork trained = train({config, problem, {config.hidden.begin(), config.hidden.end()}}, observe);
  result.model.members.push_back({std::move(trained.network), 1.0});
  result.model.provenance.train_loss = std::move(trained.losses);
  result.stopped = trained.reason == solver::Reason::running;
  result.ending = result.stopped ? "interrupted" : solver::reason_text(trained.reason);
  if (trained.reason == solver::Reason::no_progress && config.solver != "lbfgs") {
    result.ending = "the loss is no longer finite";
    result.notes.push_back(
        core::message("the loss was no longer finite, and the network of the best epoch is kept: try a lower {}, or {}",
                      core::parameter("solver_rate"), core::parameter("standardise_target", "on")));
  }
}

void boost_networks(FitResult& result, const backend::TrainingProblem& problem, const Observer& observer) {
  const ResolvedConfig& config = result.config;
  MemberObserver observe;
  if (observer) observe = [&](std::size_t done, double error) { return observer({done, config.estimators, error}); };
  AdaBoostResult boosted = train_adaboost(config, problem, observe);
  result.stopped = boosted.stop == AdaBoostStop::observer;
  result.ending = boosted.stop == AdaBoostStop::finished    ? "all networks are trained"
                  : boosted.stop == AdaBoostStop::no_error  ? "the last network has no error"
                  : boosted.stop == AdaBoostStop::no_better ? "the next network was no better than chance"
                                                            : "interrupted";
  if (boosted.stop == AdaBoostStop::no_better && boosted.members.size() == 1)
    result.notes.push_back(
        "the first network is no better than chance, so the model has only this one; try other parameters");
  result.model.members = std::move(boosted.members);
  result.model.provenance.train_loss = std::move(boosted.errors);
}

}  // namespace

FitResult fit(const data::Table& table, const FitOptions& options, const Observer& observer) {
  if (data::has_sparse_columns(table))
    throw core::UsageError(core::message("{}: {} reads dense columns only, but the columns are sparse", table.source,
                                         core::parameter("method", model::method_name(options.method))));
  const boosting::FitWorkers workers(options.workers);
  const auto targets = boosting::target_columns(table, options.targets);
  const auto columns = boosting::feature_columns(table, targets, {.weight = options.weight_column});
  const auto weights = boosting::read_weights(table, options.weight_column);
  const data::Target target = data::read_target(table, targets, options.task, weights);
  boosting::check_target_range(table, target, weights);
  if (options.method == model::Method::adaboost && targets.size() > 1)
    throw core::UsageError(core::parameter("method", "adaboost"),
                           core::message("needs a single target; {} are given", targets.size()));

  FitResult result;
  result.config = configure(options.method, options.config);
  result.task_reason = target.reason;
  model::Model& model = result.model;
  model.method = options.method;
  model.task = target.task;
  model.loss = loss::Loss::named(loss_for(target.task));
  model.targets = target.names;
  model.classes = target.classes;
  const data::Dataset data = encode_rows(result, {table, target, weights, options.rows, columns, workers.get()});
  const auto activation = activation::Activation::named(result.config.activation);
  const std::vector<double> no_start(target.outputs(), 0.0);
  model.network = network::Network(data.features.cols(), activation, no_start);
  model.provenance.version = core::version();
  model.provenance.parameters = settings_of(options.method, result.config);
  model.provenance.data_fingerprint = boosting::fingerprint(data);

  const backend::TrainingProblem problem{.dataset = data,
                                         .outputs = target.outputs(),
                                         .loss = model.loss,
                                         .activation = activation,
                                         .workers = workers.get()};
  if (options.method == model::Method::network)
    train_network(result, problem, observer);
  else
    boost_networks(result, problem, observer);
  return result;
}

}  // namespace accrete::baseline
