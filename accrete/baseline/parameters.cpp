#include "accrete/baseline/parameters.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "accrete/activation/list.hpp"
#include "accrete/config/parameter-inl.hpp"
#include "accrete/config/used_parameters.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/solver/list.hpp"

namespace accrete::baseline {
namespace {

using config::above;
using config::at_least;
using config::one_of;

// Expands to the field of both structs.
#define FIELD(field) \
  { &Config::field, &ResolvedConfig::field }
using Integer = Parameter::Field<std::uint64_t>;
using IntegerList = Parameter::Field<std::vector<std::uint64_t>>;
using Real = Parameter::Field<double>;
using Switch = Parameter::Field<bool>;
using Choice = Parameter::Field<std::string>;

// One entry each: name, field, meaning, allowed values.
const std::array of_network{
    Parameter{"hidden", IntegerList FIELD(hidden), "units of each hidden layer, first to last",
              at_least(1).at_most(1e6)},
};

const std::array of_adaboost{
    Parameter{"estimators", Integer FIELD(estimators),
              "max networks; fewer if one has no training error or is no better than chance", at_least(1).at_most(1e6)},
    Parameter{"units_per_step", Integer FIELD(units_per_step), "hidden units J of each network",
              at_least(1).at_most(1e6)},
    Parameter{"learning_rate", Real FIELD(learning_rate), "factor of every network's vote (shrinkage)", above(0)},
};

const std::array of_both{
    Parameter{"activation", Choice FIELD(activation), "activation of the hidden units", one_of(activation::All::join)},
    Parameter{"solver", Choice FIELD(solver), "how a network is trained", one_of(solver::All::join)},
    Parameter{"alpha", Real FIELD(alpha), "L2 penalty on the weights, over twice the rows of a mini-batch",
              at_least(0)},
    Parameter{"max_iter", Integer FIELD(max_iter), "max iterations (lbfgs) or epochs (adam, sgd)",
              at_least(1).at_most(1e9)},
    Parameter{"tolerance", Real FIELD(tolerance),
              "converged when no derivative is larger (lbfgs), or more than ten consecutive epochs each lowered the "
              "loss by less (adam, sgd; 0: all epochs run)",
              at_least(0).below(1)},
    Parameter{"batch_size", Integer FIELD(batch_size), "rows of a mini-batch (adam, sgd)", at_least(1).at_most(1e9)},
    Parameter{"solver_rate", Real FIELD(solver_rate), "step length of adam and sgd", above(0)},
    Parameter{"momentum", Real FIELD(momentum), "Nesterov momentum of sgd", at_least(0).below(1)},
    Parameter{"schedule", Choice FIELD(schedule),
              "step length of sgd over time; adaptive: divided by 5 where training would converge, down to 1e-6",
              one_of([] { return std::string("constant, adaptive"); })},
    Parameter{"standardise_target", Switch FIELD(standardise_target),
              "regression: train on the target shifted to mean 0 and scaled to variance 1"},
    Parameter{"seed", Integer FIELD(seed), "seed of all random draws", at_least(0).at_most(config::max_whole_number)},
};
#undef FIELD

template <class List>
std::vector<Parameter> with_common(const List& own) {
  std::vector<Parameter> list(own.begin(), own.end());
  list.insert(list.end(), of_both.begin(), of_both.end());
  return list;
}

[[noreturn]] void refuse_parameter(model::Method method, std::string_view name) {
  core::Message names;
  for (const Parameter& p : parameters(method)) {
    if (!names.empty()) names += ", ";
    names += core::parameter(p.name);
  }
  throw core::UsageError(core::parameter(name),
                         core::message("{} has no such parameter; it has {}",
                                       core::parameter("method", model::method_name(method)), names));
}

const Parameter& find_parameter(model::Method method, std::string_view name) {
  const auto list = parameters(method);
  const auto found = std::ranges::find(list, name, &Parameter::name);
  if (found == list.end()) refuse_parameter(method, name);
  return *found;
}

/// Throws UsageError for a parameter that the solver ignores, unless it has its default.
void check_used(const ResolvedConfig& config, const Config& given) {
  const ResolvedConfig defaults;
  for (const Parameter& p : of_both)
    if (const auto value = get(given, p); value && *value != get(defaults, p))
      config::check_solver_uses({p.name, *value}, config.solver);
}

}  // namespace

std::span<const Parameter> parameters(model::Method method) {
  static const std::vector<Parameter> network = with_common(of_network), adaboost = with_common(of_adaboost);
  return method == model::Method::network ? network : adaboost;
}

Config parse_settings(model::Method method, std::span<const Setting> settings, Config base) {
  for (const auto& [name, text] : settings) set(base, find_parameter(method, name), text);
  return base;
}

ResolvedConfig configure(model::Method method, const Config& given) {
  ResolvedConfig config;
  if (method == model::Method::adaboost) config.solver = "lbfgs";
  for (const model::Method other : {model::Method::network, model::Method::adaboost})
    for (const Parameter& p : parameters(other))
      if (get(given, p)) find_parameter(method, p.name);
  config::overwrite(parameters(method), config, given);
  check_used(config, given);
  return config;
}

std::vector<Setting> settings_of(model::Method method, const ResolvedConfig& config) {
  std::vector<Setting> settings{{"method", model::method_name(method)}};
  for (const Parameter& p : parameters(method)) settings.emplace_back(p.name, get(config, p));
  return settings;
}

}  // namespace accrete::baseline

namespace accrete::config {

template struct BasicParameter<baseline::Config, baseline::ResolvedConfig>;
template std::string get(const baseline::ResolvedConfig&, const baseline::Parameter&);
template std::optional<std::string> get(const baseline::Config&, const baseline::Parameter&);
template void set(baseline::Config&, const baseline::Parameter&, std::string_view);
template std::string canonical(const baseline::Parameter&, std::string_view);

}  // namespace accrete::config
