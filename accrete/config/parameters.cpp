#include "accrete/config/parameters.hpp"

#include <array>

#include "accrete/activation/list.hpp"
#include "accrete/config/objective.hpp"
#include "accrete/config/parameter-inl.hpp"
#include "accrete/data/input.hpp"
#include "accrete/loss/list.hpp"
#include "accrete/metric/list.hpp"
#include "accrete/solver/list.hpp"

namespace accrete::config {
namespace {

// Expands to the field of both structs.
#define FIELD(field) \
  { &Config::field, &ResolvedConfig::field }
using Integer = Parameter::Field<std::uint64_t>;
using Real = Parameter::Field<double>;
using Switch = Parameter::Field<bool>;
using Choice = Parameter::Field<std::string>;
using Reals = Parameter::Field<std::vector<double>>;
using Directions = Parameter::Field<Monotone>;
using Groups = Parameter::Field<Interactions>;
using ClassFactors = Parameter::Field<ClassWeights>;
using GroupFactors = Parameter::Field<GroupWeights>;

// One entry each: name, field, meaning, allowed values.
const std::array list{
    Parameter{"units", Integer FIELD(units), "hidden units of the finished network", at_least(1).at_most(1e9)},
    Parameter{"units_per_step", Integer FIELD(units_per_step), "hidden units J fitted together in one boosting step",
              at_least(1).at_most(1e6)},
    Parameter{"learning_rate", Real FIELD(learning_rate), "factor of every step (shrinkage)", above(0).at_most(1)},
    Parameter{"first_rate", Real FIELD(first_rate),
              "factor of the first step; step k has first_rate / k, but at least learning_rate; 0: learning_rate in "
              "every step",
              at_least(0).at_most(1)},
    Parameter{"subsample", Real FIELD(subsample), "share of the rows a step is fitted on, drawn without replacement",
              above(0).at_most(1)},
    Parameter{"feature_fraction", Real FIELD(feature_fraction),
              "share of the features that each step draws; at least four features", above(0).at_most(1)},
    Parameter{"activation", Choice FIELD(activation), "activation of the hidden units", one_of(activation::All::join)},
    Parameter{
        "bins", Integer FIELD(bins),
        "numeric columns also enter as this many piecewise-linear features between quantiles; 0: the standardised "
        "number alone",
        at_least(0).at_most(data::max_bins)},
    Parameter{"loss", Choice FIELD(loss), "loss to minimise; auto: squared, logistic or softmax, by the task",
              one_of([] { return "auto, " + loss::All::join(); })},
    Parameter{"objective", Choice FIELD(objective),
              "what one step minimises: squared error to the residuals then a Newton step (residual; projected: the "
              "same with the output layer solved exactly), or the loss itself (direct); auto: by loss and solver",
              one_of([] { return "auto, " + Objectives::join(); })},
    Parameter{"solver", Choice FIELD(solver), "how a step is minimised", one_of(solver::All::join)},
    Parameter{"alpha", Real FIELD(alpha), "L2 penalty on the weights of a step", at_least(0)},
    Parameter{"max_iter", Integer FIELD(max_iter), "max iterations (lbfgs) or epochs (adam, sgd) of a step",
              at_least(1).at_most(1e9)},
    Parameter{"joint_iter", Integer FIELD(joint_iter),
              "how many of the max_iter iterations fit both layers, before the output layer is projected out "
              "(objective projected)",
              at_least(0).at_most(1e9)},
    Parameter{
        "tolerance", Real FIELD(tolerance),
        "convergence tolerance of a step: the relative decrease of its objective in one iteration (lbfgs), or the "
        "decrease of the mean loss below its best, missed in more than ten consecutive epochs (adam, sgd)",
        at_least(0).below(1)},
    Parameter{"tolerance_floor", Real FIELD(tolerance_floor),
              "the tolerance is a share of the objective, or of this if it is larger (lbfgs)", at_least(0)},
    Parameter{"gain_tolerance", Real FIELD(gain_tolerance),
              "a step has converged when three consecutive iterations each lower its objective by less than this share "
              "of the total decrease (lbfgs); 0: never. The preset paper has 0.04 for three classes or more",
              at_least(0).below(1)},
    Parameter{"gauss_newton", Switch FIELD(gauss_newton),
              "use damped Gauss-Newton steps if the output layer is projected out and a step has few weights for its "
              "rows (on a CPU; lbfgs)"},
    Parameter{"standardise_target", Switch FIELD(standardise_target),
              "train on the target shifted to mean 0 and scaled to variance 1 (squared; huber and quantile always do)"},
    Parameter{"rescale_residual", Switch FIELD(rescale_residual),
              "divide the residuals by their root mean square before a step is fitted to them"},
    Parameter{"prior_start", Switch FIELD(prior_start), "start three classes or more from ln(prior) instead of 0"},
    Parameter{"huber_delta", Real FIELD(huber_delta),
              "where the huber loss turns linear, in standard deviations of the target; implies the loss huber",
              above(0)},
    Parameter{"quantile", Real FIELD(quantile), "which quantile the quantile loss predicts; implies the loss quantile",
              above(0).below(1)},
    Parameter{"quantiles", Reals FIELD(quantiles),
              "several quantiles that the quantile loss predicts with one network, ascending, such as 0.05,0.5,0.95",
              above(0).below(1)},
    Parameter{"monotone", Directions FIELD(monotone),
              "columns in which the score is monotone: as the column increases, it never decreases (+) or never "
              "increases (-)"},
    Parameter{"interactions", Groups FIELD(interactions),
              "groups of columns; a unit reads columns of one group only, and the columns that are not named form one "
              "more group; none: every column alone, an additive model"},
    Parameter{"batch_size", Integer FIELD(batch_size), "rows of a mini-batch (adam, sgd)", at_least(1).at_most(1e9)},
    Parameter{"solver_rate", Real FIELD(solver_rate), "step length of adam and sgd", above(0)},
    Parameter{"momentum", Real FIELD(momentum), "Nesterov momentum of sgd", at_least(0).below(1)},
    Parameter{"class_weight", ClassFactors FIELD(class_weight),
              "factors of the row weights by class; other classes have 1. balanced: each class has the "
              "same total weight"},
    Parameter{"group_weight", GroupFactors FIELD(group_weight),
              "factors of the row weights by the value of a column; other values have 1. The column alone: each value "
              "has the same total weight"},
    Parameter{"interval", Real FIELD(interval),
              "calibrate prediction intervals (regression) or sets of classes that contain the truth with this "
              "probability; 0: none",
              at_least(0).below(1)},
    Parameter{"calibration_fraction", Real FIELD(calibration_fraction),
              "share of the rows that are held out to calibrate the interval (needs interval)", above(0).below(1)},
    Parameter{"validation_fraction", Real FIELD(validation_fraction),
              "share of the rows in the validation set, which decides the number of units; 0: none",
              at_least(0).below(1)},
    Parameter{"patience", Integer FIELD(patience),
              "stop after this many units without improvement on the validation set; 0: grow all units, then keep the "
              "best prefix",
              at_least(0).at_most(1e9)},
    Parameter{"metric", Choice FIELD(metric),
              "metric of early stopping on the validation set and of the choice of settings: the loss or a metric of "
              "the task, which needs a validation set",
              one_of([] { return "loss, " + metric::All::join(); })},
    Parameter{"auto", Switch FIELD(automatic),
              "choose alpha, bins and units, of large tables also feature_fraction and max_iter, on held-out rows if "
              "they are not given, then fit all rows"},
    Parameter{"time_limit", Real FIELD(time_limit),
              "max seconds of a fit, to within a step; it ends with the best network so far; 0: no limit", at_least(0)},
    Parameter{"seed", Integer FIELD(seed), "seed of all random draws", at_least(0).at_most(max_whole_number)},
};
#undef FIELD

}  // namespace

std::span<const Parameter> parameters() {
  return list;
}

const Parameter& parameter_named(std::string_view name) {
  return find_parameter(parameters(), name);
}

Config parse_settings(std::span<const Setting> settings, Config base) {
  for (const auto& [name, text] : settings) set(base, parameter_named(name), text);
  return base;
}

std::vector<Setting> settings_of(const ResolvedConfig& config) {
  std::vector<Setting> settings;
  for (const Parameter& p : parameters()) settings.emplace_back(p.name, get(config, p));
  return settings;
}

std::vector<Setting> settings_of(const Config& given) {
  std::vector<Setting> settings;
  for (const Parameter& p : parameters())
    if (auto text = get(given, p)) settings.emplace_back(p.name, std::move(*text));
  return settings;
}

void overwrite(ResolvedConfig& config, const Config& given) {
  overwrite(parameters(), config, given);
}

template struct BasicParameter<Config, ResolvedConfig>;
template std::string get(const ResolvedConfig&, const Parameter&);
template std::optional<std::string> get(const Config&, const Parameter&);
template void set(Config&, const Parameter&, std::string_view);
template std::string canonical(const Parameter&, std::string_view);

}  // namespace accrete::config
