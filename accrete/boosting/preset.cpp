#include "accrete/boosting/preset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "accrete/core/error.hpp"

namespace accrete::boosting {
namespace {

/// The paper's step. Units, rate, rows and penalty are the authors'. The least squares of a step is solved
/// differently: a few iterations on both layers, then the output layer solved for. That ends at or below the training
/// loss of the authors' 200 iterations on both layers (`objective residual`) after far fewer. What an iteration must
/// bring is a share of what the step has brought: steps that explain little of the residual are as carefully fitted as
/// those that explain much. Few weights over many rows need neither: Gauss-Newton steps get there in a dozen.
Config paper(double learning_rate) {
  Config c;
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

Config paper_for_classes() {
  Config c = paper(1.0);
  c.joint_iter = 5;
  c.max_iter = 45;
  c.tolerance = 1e-8;
  c.tolerance_floor = 1.0;
  c.gain_tolerance = 0.007;
  return c;
}

/// What ends a step of three classes and more: its units serve all of them, and the last iterations trade one for
/// another. Losses stay under the authors', and rows held out are predicted as well, at three quarters of the time.
constexpr double gain_tolerance_of_many = 0.04;

/// The authors' rate of 1 on half the rows diverges in regression; 0.1 is from the paper's own grid.
Config paper_for_regression() {
  Config c = paper(0.1);
  c.joint_iter = 20;
  c.max_iter = 160;
  c.tolerance = 1e-7;
  c.gain_tolerance = 0.0007;
  return c;
}

Config better_for_classes() {
  Config c;
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

Config better_for_regression() {
  Config c = better_for_classes();
  c.feature_fraction = 0.7;
  c.activation = "tanh";
  c.max_iter = 100;
  return c;
}

/// The rate, in hundredths, at which so few steps leave no more than a fiftieth of what the start left to explain.
double rate_of_few(std::uint64_t steps) {
  return steps > 0 ? std::ceil(100.0 * (1.0 - std::pow(0.02, 1.0 / static_cast<double>(steps)))) / 100.0 : 1.0;
}

}  // namespace

bool is_given(std::span<const Setting> given, std::string_view name) {
  return std::ranges::any_of(given, [&](const Setting& s) { return s.first == name; });
}

std::span<const Preset> presets() {
  static const std::array table{
      Preset{"default", true, "the loss itself, half the features per step", better_for_classes()},
      Preset{"default", false, "squared error with the output layer solved, 0.7 of the features",
             better_for_regression()},
      Preset{"paper", true, "the paper's step and its authors' settings", paper_for_classes()},
      Preset{"paper", false, "the paper's step; rate 0.1, because the authors' rate of 1 diverges",
             paper_for_regression()},
  };
  return table;
}

Config configure(std::string_view preset, data::Task task, std::span<const Setting> overrides) {
  const bool classes = task != data::Task::regression;
  const Preset* row = nullptr;
  for (const Preset& p : presets())
    if (preset == p.name && classes == p.classes) row = &p;
  if (!row) throw core::UsageError(fmt::format("--preset {}: must be one of default, paper", preset));
  Config config = row->config;
  if (task == data::Task::multiclass && config.gain_tolerance > 0.0) config.gain_tolerance = gain_tolerance_of_many;
  for (const auto& [name, text] : overrides) set(config, parameter_named(name), text);
  if (is_given(overrides, "learning_rate") && !is_given(overrides, "first_rate")) config.first_rate = 0.0;
  if (config.automatic && is_given(overrides, "units") && !is_given(overrides, "learning_rate"))
    config.learning_rate = std::max(config.learning_rate, rate_of_few(config.units / config.units_per_step));
  // What a preset solves for, a solver that sees a batch at a time can only search for.
  if (!is_given(overrides, "objective") && config.objective == "projected" && config.solver != "lbfgs")
    config.objective = "residual";
  resolve(config, task);
  return config;
}

void resolve(Config& c, data::Task task) {
  if (c.units_per_step > c.units)
    throw core::UsageError(fmt::format("--units-per-step {} exceeds --units {}", c.units_per_step, c.units));
  if (c.loss == "auto")
    c.loss = task == data::Task::regression ? "squared" : task == data::Task::binary ? "logistic" : "softmax";
  const loss::Loss loss = loss_of(c);
  const bool fits = loss.classes()
                        ? (c.loss == "logistic") == (task == data::Task::binary) && task != data::Task::regression
                        : task == data::Task::regression;
  if (!fits) throw core::UsageError(fmt::format("--loss {} is not for a {} task", c.loss, data::task_name(task)));
  // Their steps have a length of their own (delta, 1): it must mean the same for every target.
  if (c.loss == "huber" || c.loss == "quantile") c.standardise_target = true;
  const bool all_rows = c.solver == "lbfgs";
  if (c.objective == "auto") c.objective = c.loss != "squared" ? "direct" : all_rows ? "projected" : "residual";
  if (c.objective == "projected" && !all_rows)
    throw core::UsageError(
        fmt::format("--objective projected needs --solver lbfgs, not {}; use residual or direct", c.solver));
  if (c.class_weight != "none" && task == data::Task::regression)
    throw core::UsageError("--class-weight is for classes, and this is a regression task");
}

loss::Loss loss_of(const Config& config) {
  return loss::Loss::named(config.loss, {config.huber_delta, config.quantile});
}

}  // namespace accrete::boosting
