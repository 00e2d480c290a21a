#include "accrete/config/preset.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <string_view>

#include "accrete/config/parameters.hpp"
#include "accrete/config/used_parameters.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/suggest.hpp"
#include "accrete/metric/list.hpp"

namespace accrete::config {
namespace {

/// The paper's step with the authors' units, rate, rows and penalty, but with another solver for a step's least
/// squares: a few iterations on both layers, then projected ones. They reach the training loss of the authors' 200
/// iterations (objective residual) in far fewer. gain_tolerance is relative to the gain of the step, so that steps that
/// explain little of the residual converge equally well. Few weights over many rows converge in a dozen Gauss-Newton
/// steps.
ResolvedConfig paper(double learning_rate) {
  ResolvedConfig c;
  c.units = 200;
  c.units_per_step = 1;
  c.learning_rate = learning_rate;
  c.subsample = 0.5;
  c.feature_fraction = 1.0;
  c.activation = "logistic";
  c.objective = "projected";
  c.gauss_newton = true;
  c.alpha = 1e-4;
  c.standardise_target = false;
  c.rescale_residual = false;
  return c;
}

ResolvedConfig paper_for_classes() {
  ResolvedConfig c = paper(1.0);
  c.joint_iter = 5;
  c.max_iter = 45;
  c.tolerance = 1e-8;
  c.tolerance_floor = 1.0;
  c.gain_tolerance = 0.007;
  return c;
}

/// The last iterations of a multiclass step trade one class for another. Stopping earlier takes three quarters of the
/// time, while the training loss stays below the authors' and the held-out accuracy stays the same.
constexpr double multiclass_gain_tolerance = 0.04;

/// The authors' rate of 1 on half the rows diverges for regression; 0.1 is in the paper's grid.
ResolvedConfig paper_for_regression() {
  ResolvedConfig c = paper(0.1);
  c.joint_iter = 20;
  c.max_iter = 160;
  c.tolerance = 1e-7;
  c.gain_tolerance = 0.0007;
  return c;
}

ResolvedConfig default_for_classes() {
  ResolvedConfig c;
  c.automatic = true;
  c.units = 800;
  c.units_per_step = 4;
  c.learning_rate = 0.1;
  c.first_rate = 0.4;
  c.feature_fraction = 0.5;
  c.activation = "relu";
  c.alpha = 0.1;
  c.max_iter = 50;
  c.tolerance = 1e-6;
  return c;
}

ResolvedConfig default_for_regression() {
  ResolvedConfig c = default_for_classes();
  c.feature_fraction = 0.7;
  c.activation = "tanh";
  c.max_iter = 100;
  return c;
}

/// The learning rate, in hundredths, with which this many steps leave at most 2 % of the initial residual.
double rate_for_steps(std::uint64_t steps) {
  return steps > 0 ? std::ceil(100.0 * (1.0 - std::pow(0.02, 1.0 / static_cast<double>(steps)))) / 100.0 : 1.0;
}

/// A unit's output weight must have the sign that its hidden weights imply, so a step must optimise both layers.
void check_monotone(const ResolvedConfig& c, data::Task task) {
  using core::parameter;
  const auto given = parameter("monotone", text_of(c.monotone));
  if (task == data::Task::multiclass)
    throw core::UsageError(given, "supports regression and two classes, but the target has more classes");
  if (c.solver != "lbfgs")
    throw core::UsageError(given, core::message("needs {}, not {}", parameter("solver", "lbfgs"), c.solver));
  if (c.objective == "projected")
    throw core::UsageError(
        given, core::message("cannot be used with {}; use residual or direct", parameter("objective", "projected")));
  std::set<std::string_view> names;
  for (const MonotoneColumn& entry : c.monotone)
    if (!names.insert(entry.column).second)
      throw core::UsageError(given, core::message("names the column '{}' twice", entry.column));
}

}  // namespace

std::span<const Preset> presets() {
  static const std::array table{
      Preset{"default", true, "the loss itself, half the features per step", default_for_classes()},
      Preset{"default", false, "squared error with the output layer solved exactly, 0.7 of the features per step",
             default_for_regression()},
      Preset{"fast", true, "a short network and a short search", default_for_classes()},
      Preset{"fast", false, "a short network and a short search", default_for_regression()},
      Preset{"best", true, "a longer search and a smaller learning rate on large tables", default_for_classes()},
      Preset{"best", false, "a longer search and a smaller learning rate on large tables", default_for_regression()},
      Preset{"paper", true, "the paper's step and its authors' settings", paper_for_classes()},
      Preset{"paper", false, "the paper's step; rate 0.1, because the authors' rate of 1 diverges",
             paper_for_regression()},
  };
  return table;
}

ResolvedConfig configure(std::string_view preset, data::Task task, const Config& given) {
  const bool classes = task != data::Task::regression;
  const auto row =
      std::ranges::find_if(presets(), [&](const Preset& p) { return preset == p.name && classes == p.classes; });
  constexpr const char* names = "default, fast, best, paper";
  if (row == presets().end())
    throw core::UsageError(core::parameter("preset", preset),
                           std::string("must be one of ") + names + core::did_you_mean(preset, names));
  ResolvedConfig config = row->config;
  if (task == data::Task::multiclass && config.gain_tolerance > 0.0) config.gain_tolerance = multiclass_gain_tolerance;
  overwrite(config, given);
  if (given.learning_rate && !given.first_rate) config.first_rate = 0.0;
  if (config.automatic && given.units && !given.learning_rate)
    config.learning_rate = std::max(config.learning_rate, rate_for_steps(config.units / config.units_per_step));
  // Mini-batch solvers cannot solve for the output layer as the preset does, and in a monotone network the output layer
  // is bounded.
  const bool can_project = config.solver == "lbfgs" && config.monotone.empty();
  if (!given.objective && config.objective == "projected" && !can_project) config.objective = "residual";
  if (task == data::Task::regression) config.loss = implied_loss(given).value_or(config.loss);
  resolve(config, task);
  check_used(config, given);
  return config;
}

namespace {

bool is_loss_for(const loss::Loss& loss, data::Task task) {
  if (!loss.classes()) return task == data::Task::regression;
  return task != data::Task::regression &&
         (loss.name() == std::string_view(loss::Logistic::name)) == (task == data::Task::binary);
}

std::string losses_for(data::Task task) {
  std::string names;
  for (std::size_t i = 0; i < loss::All::size; ++i)
    if (const loss::Loss loss{i, {}}; is_loss_for(loss, task))
      names += (names.empty() ? "" : ", ") + std::string(loss.name());
  return names;
}

/// The prediction interval of a number lies between two quantiles.
void resolve_quantiles(ResolvedConfig& c, data::Task task) {
  using core::parameter;
  if (c.interval > 0.0 && task == data::Task::regression) {
    const auto rounded = [](double level) { return std::round(level * 1e12) / 1e12; };  // 0.05, not 0.04999999999999999
    const std::vector<double> outer{rounded((1.0 - c.interval) / 2.0), 0.5, rounded((1.0 + c.interval) / 2.0)};
    if (!c.quantiles.empty() && c.quantiles != outer)
      throw core::UsageError(core::message("{} chooses the quantiles of a regression; leave out {}",
                                           parameter("interval"), parameter("quantiles")));
    c.quantiles = outer;
  }
  if (c.quantiles.empty()) return;
  if (c.loss == "auto") c.loss = loss::Quantile::name;
  if (c.loss != loss::Quantile::name)
    throw core::UsageError(core::message("{} needs {}, not {}", parameter(c.interval > 0.0 ? "interval" : "quantiles"),
                                         parameter("loss", loss::Quantile::name), c.loss));
  const bool ascending = std::ranges::is_sorted(c.quantiles, std::less_equal{});
  if (!ascending || c.quantiles.size() < 2 || c.quantiles.size() > loss::LossSettings::max_levels)
    throw core::UsageError(core::message("{} must be 2 to {} different numbers in ascending order",
                                         parameter("quantiles"), loss::LossSettings::max_levels));
}

}  // namespace

void resolve(ResolvedConfig& c, data::Task task) {
  using core::parameter;
  if (c.units_per_step > c.units)
    throw core::UsageError(
        core::message("{} exceeds {}", parameter("units_per_step", c.units_per_step), parameter("units", c.units)));
  resolve_quantiles(c, task);
  if (c.loss == "auto")
    c.loss = task == data::Task::regression ? "squared" : task == data::Task::binary ? "logistic" : "softmax";
  if (!is_loss_for(loss_of(c), task))
    throw core::UsageError(core::message("{} is not for a {} task; allowed: {}", parameter("loss", c.loss),
                                         data::task_name(task), losses_for(task)));
  // These losses have a length scale (delta, 1) that must mean the same for every target.
  if (c.loss == "huber" || c.loss == "quantile") c.standardise_target = true;
  const bool all_rows = c.solver == "lbfgs";
  const bool fits_residuals = c.loss == loss::Squared::name || c.loss == loss::Custom::name;
  const bool can_project = all_rows && c.monotone.empty();
  if (c.objective == "auto") c.objective = !fits_residuals ? "direct" : can_project ? "projected" : "residual";
  if (c.objective == "projected" && !all_rows)
    throw core::UsageError(core::message("{} needs {}, not {}; use residual or direct",
                                         parameter("objective", "projected"), parameter("solver", "lbfgs"), c.solver));
  if (!c.monotone.empty()) check_monotone(c, task);
  if (c.metric != "loss" && !metric::Metric::named(c.metric).fits(task))
    throw core::UsageError(core::message("{} is not for a {} task; allowed: loss, {}", parameter("metric", c.metric),
                                         data::task_name(task), metric::names_for(task)));
  if (!c.class_weight.empty() && task == data::Task::regression)
    throw core::UsageError(
        core::message("{} needs classes, but this is a regression task; leave it out", parameter("class_weight")));
}

loss::Loss loss_of(const ResolvedConfig& config) {
  loss::LossSettings settings{config.huber_delta, config.quantile};
  settings.level_count = config.quantiles.size();
  std::ranges::copy(config.quantiles, settings.levels);
  return loss::Loss::named(config.loss, settings);
}

}  // namespace accrete::config
