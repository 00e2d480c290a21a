#include "accrete/baseline/fit.hpp"

#include <fmt/format.h>

#include <utility>

#include "accrete/baseline/adaboost.hpp"
#include "accrete/baseline/train.hpp"
#include "accrete/boosting/load.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/version.hpp"

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

/// What a fit reads its rows from.
struct Rows {
  const data::Table& table;
  const data::Target& target;
  std::span<const double> weights;
  std::span<const std::size_t> listed;   ///< to fit on; empty: all
  std::span<const std::size_t> columns;  ///< to learn from
  core::Workers& workers;
};

/// The rows to fit on, encoded; what was learnt of them goes to the model.
data::Dataset load(FitResult& result, const Rows& rows) {
  model::Model& model = result.model;
  const data::Split split{boosting::rows_to_fit(rows.table, rows.weights, rows.listed), {}};
  const boosting::Config plain{.loss = model.loss.name()};
  model.target_shift.assign(rows.target.names.size(), 0.0);
  model.target_scale.assign(rows.target.names.size(), 1.0);
  if (result.config.standardise_target) {
    auto scale = boosting::target_scale({rows.target.values, rows.weights}, split.train, plain);
    model.target_shift = std::move(scale.shift);
    model.target_scale = std::move(scale.scale);
  }
  model.encoder = data::Encoder::fit(rows.table, rows.columns, {split.train, rows.weights}, {}, &rows.workers);
  if (auto text = boosting::lost_digits(model.encoder)) result.notes.push_back(std::move(*text));
  model.provenance.training_rows = split.train.size();
  return boosting::encode_split({{rows.table}, rows.target.values, rows.weights, model, plain, rows.workers}, split)
      .train;
}

void train_network(FitResult& result, const backend::Source& source, const Observer& observer) {
  const Config& config = result.config;
  IterationObserver observe;
  if (observer) observe = [&](std::size_t done, double loss) { return observer({done, config.max_iter, loss}); };
  Trained trained = train({config, source, {config.hidden.begin(), config.hidden.end()}}, observe);
  result.model.members.push_back({std::move(trained.network), 1.0});
  result.model.provenance.train_loss = std::move(trained.losses);
  result.stopped = trained.reason == solver::Reason::running;
  result.ending = result.stopped ? "interrupted" : solver::reason_text(trained.reason);
  if (trained.reason == solver::Reason::no_progress && config.solver != "lbfgs") {
    result.ending = "the loss left the range of numbers";
    result.notes.push_back(
        "the steps were too long, and the best epoch's network is kept: try a lower --solver-rate, or "
        "--standardise-target on");
  }
}

void boost_networks(FitResult& result, const backend::Source& source, const Observer& observer) {
  const Config& config = result.config;
  MemberObserver observe;
  if (observer) observe = [&](std::size_t done, double error) { return observer({done, config.estimators, error}); };
  Boosted boosted = boost(config, source, observe);
  result.stopped = boosted.ending == Ending::observer;
  result.ending = boosted.ending == Ending::finished    ? "all networks are there"
                  : boosted.ending == Ending::perfect   ? "the last network has no error"
                  : boosted.ending == Ending::no_better ? "the next network was no better than chance"
                                                        : "interrupted";
  if (boosted.ending == Ending::no_better && boosted.members.size() == 1)
    result.notes.push_back("no network did better than chance: the model has one alone");
  result.model.members = std::move(boosted.members);
  result.model.provenance.train_loss = std::move(boosted.errors);
}

}  // namespace

FitResult fit(const data::Table& table, const FitOptions& options, const Observer& observer) {
  const boosting::Team team(options.workers);
  const auto targets = boosting::target_columns(table, options.targets);
  const auto columns = boosting::feature_columns(table, targets, options.weight_column);
  const auto weights = boosting::read_weights(table, options.weight_column);
  const data::Target target = data::read_target(table, targets, options.task, weights);
  boosting::check_size(table, target, weights);
  if (options.method == model::Method::adaboost && targets.size() > 1)
    throw core::UsageError(fmt::format("{} targets; --method adaboost predicts one", targets.size()));

  FitResult result;
  result.config = configure(options.method, options.overrides);
  result.task_reason = target.reason;
  model::Model& model = result.model;
  model.method = options.method;
  model.task = target.task;
  model.loss = loss::Loss::named(loss_for(target.task));
  model.targets = target.names;
  model.classes = target.classes;
  const data::Dataset data = load(result, {table, target, weights, options.rows, columns, *team.workers});
  const auto activation = activation::Activation::named(result.config.activation);
  const std::vector<double> no_start(target.outputs(), 0.0);
  model.network = network::Network(data.features.cols(), activation, no_start);
  model.provenance.version = core::version();
  model.provenance.parameters = settings_of(options.method, result.config);
  model.provenance.data_fingerprint = boosting::fingerprint(data);

  const backend::Source source{data, target.outputs(), model.loss, activation, *team.workers};
  if (options.method == model::Method::network)
    train_network(result, source, observer);
  else
    boost_networks(result, source, observer);
  return result;
}

}  // namespace accrete::baseline
