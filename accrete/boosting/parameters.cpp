#include "accrete/boosting/parameters.hpp"

#include <array>

#include "accrete/activation/list.hpp"
#include "accrete/boosting/parameter-inl.hpp"
#include "accrete/boosting/step.hpp"
#include "accrete/data/input.hpp"
#include "accrete/loss/list.hpp"
#include "accrete/solver/list.hpp"

namespace accrete::boosting {
namespace {

// One line each: name, field, meaning, range.
const std::array list{
    Parameter{"units", &Config::units, "hidden units of the finished network", 1, 1e9},
    Parameter{"units_per_step", &Config::units_per_step, "hidden units J fitted together in one boosting step", 1, 1e6},
    Parameter{"learning_rate", &Config::learning_rate, "shrinkage: every step is multiplied by it", 0, 1, true},
    Parameter{
        "first_rate", &Config::first_rate,
        "shrinkage of the first step; the next ones have a half of it, a third, and so on, down to learning_rate; "
        "0: learning_rate from the first step on",
        0, 1},
    Parameter{"subsample", &Config::subsample, "share of the rows a step is fitted on, drawn without replacement", 0, 1,
              true},
    Parameter{"feature_fraction", &Config::feature_fraction,
              "share of the features a step may look at, drawn anew each step; never fewer than four of them", 0, 1,
              true},
    Parameter{"activation", &Config::activation, "what a hidden unit computes", 0, 0, false, false,
              activation::All::join},
    Parameter{
        "bins", &Config::bins,
        "numeric columns also enter as this many piecewise-linear features between quantiles; 0: the standardised "
        "number alone",
        0, data::most_bins},
    Parameter{"loss", &Config::loss, "what is minimised; auto takes squared, logistic or softmax by the task", 0, 0,
              false, false, [] { return "auto, " + loss::All::join(); }},
    Parameter{"objective", &Config::objective,
              "what one step minimises: squared error to the residuals then a Newton step (residual; projected: the "
              "same with "
              "the output layer solved exactly), or the loss itself (direct); auto takes what loss and solver allow",
              0, 0, false, false, [] { return "auto, " + steps::join(); }},
    Parameter{"solver", &Config::solver, "how a step is minimised", 0, 0, false, false, solver::All::join},
    Parameter{"alpha", &Config::alpha, "penalty on squared weights within a step", 0, no_limit},
    Parameter{"max_iter", &Config::max_iter, "iterations (lbfgs) or epochs (adam, sgd) of a step at most", 1, 1e9},
    Parameter{"joint_iter", &Config::joint_iter,
              "of these, iterations that move both layers before the output layer is solved for (objective projected)",
              0, 1e9},
    Parameter{"tolerance", &Config::tolerance,
              "a step ends when an iteration lowers its objective by less than this share of it (lbfgs), or more than "
              "ten epochs in a row by less than this each (adam, sgd)",
              0, 1, false, true},
    Parameter{"tolerance_floor", &Config::tolerance_floor,
              "the least size of the objective that the tolerance is a share of (lbfgs)", 0, no_limit},
    Parameter{"gain_tolerance", &Config::gain_tolerance,
              "a step ends when three iterations in a row each lower its objective by less than this share of what all "
              "of them have (lbfgs); 0: never. The preset paper has 0.04 for three classes and more",
              0, 1, false, true},
    Parameter{"gauss_newton", &Config::gauss_newton,
              "where the output layer is solved for, and a step has few weights for its rows, move them by damped "
              "Gauss-Newton steps (on a CPU; lbfgs)"},
    Parameter{"standardise_target", &Config::standardise_target,
              "train on the target shifted to mean 0 and scaled to variance 1 (squared; huber and quantile always do)"},
    Parameter{"rescale_residual", &Config::rescale_residual,
              "divide the residuals by their root mean square before a step is fitted to them"},
    Parameter{"prior_start", &Config::prior_start, "start three classes or more from ln(prior) instead of 0"},
    Parameter{"huber_delta", &Config::huber_delta,
              "where the huber loss turns linear, in standard deviations of the target", 0, no_limit, true},
    Parameter{"quantile", &Config::quantile, "which quantile the quantile loss predicts", 0, 1, true, true},
    Parameter{"batch_size", &Config::batch_size, "rows of a mini-batch (adam, sgd)", 1, 1e9},
    Parameter{"solver_rate", &Config::solver_rate, "step length of adam and sgd", 0, no_limit, true},
    Parameter{"momentum", &Config::momentum, "Nesterov momentum of sgd", 0, 1, false, true},
    Parameter{"class_weight", &Config::class_weight, "balanced: each class weighs the same in total", 0, 0, false,
              false, [] { return std::string("none, balanced"); }},
    Parameter{"validation_fraction", &Config::validation_fraction,
              "share of the rows kept out to find the best number of units; 0: none", 0, 1, false, true},
    Parameter{
        "patience", &Config::patience,
        "stop after this many units without improvement on the validation part; 0: grow all units, then keep the best",
        0, 1e9},
    Parameter{"auto", &Config::automatic,
              "choose alpha, bins and units on rows held out, as far as they are not given, then fit all rows"},
    Parameter{"time_limit", &Config::time_limit,
              "seconds that a fit may take, to within a step: the best network found by then; 0: no limit", 0,
              no_limit},
    Parameter{"seed", &Config::seed, "every random draw follows from it", 0, whole_limit},
};

}  // namespace

std::span<const Parameter> parameters() {
  return list;
}

const Parameter& parameter_named(std::string_view name) {
  return find_parameter(parameters(), name);
}

std::vector<Setting> settings_of(const Config& config) {
  return list_settings(parameters(), config);
}

template struct BasicParameter<Config>;
template std::string get(const Config&, const Parameter&);
template void set(Config&, const Parameter&, std::string_view);

}  // namespace accrete::boosting
