#include "accrete/baseline/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "accrete/activation/list.hpp"
#include "accrete/boosting/parameter-inl.hpp"
#include "accrete/core/error.hpp"
#include "accrete/solver/list.hpp"

namespace accrete::baseline {
namespace {

using boosting::no_limit;
using boosting::whole_limit;

// One line each: name, field, meaning, range.
const std::array of_network{
    Parameter{"hidden", &Config::hidden, "units of each hidden layer, first to last", 1, 1e6},
};

const std::array of_adaboost{
    Parameter{"estimators", &Config::estimators, "networks at most; fewer where one has no error or only chance", 1,
              1e6},
    Parameter{"units_per_step", &Config::units_per_step, "hidden units J of each network", 1, 1e6},
    Parameter{"learning_rate", &Config::learning_rate, "shrinkage: every network's vote is multiplied by it", 0,
              no_limit, true},
};

const std::array of_both{
    Parameter{"activation", &Config::activation, "what a hidden unit computes", 0, 0, false, false,
              activation::All::join},
    Parameter{"solver", &Config::solver, "how a network is trained", 0, 0, false, false, solver::All::join},
    Parameter{"alpha", &Config::alpha, "penalty on squared weights, over twice the rows of a batch", 0, no_limit},
    Parameter{"max_iter", &Config::max_iter, "iterations (lbfgs) or epochs (adam, sgd) at most", 1, 1e9},
    Parameter{"tolerance", &Config::tolerance,
              "training ends when no derivative is larger (lbfgs), or more than ten epochs in a row lowered the loss "
              "by less (adam, sgd; 0: all epochs are done)",
              0, 1, false, true},
    Parameter{"batch_size", &Config::batch_size, "rows of a mini-batch (adam, sgd)", 1, 1e9},
    Parameter{"solver_rate", &Config::solver_rate, "step length of adam and sgd", 0, no_limit, true},
    Parameter{"momentum", &Config::momentum, "Nesterov momentum of sgd", 0, 1, false, true},
    Parameter{"schedule", &Config::schedule,
              "of sgd's step length: adaptive takes a fifth of it where training would end, until it is 1e-6", 0, 0,
              false, false, [] { return std::string("constant, adaptive"); }},
    Parameter{"standardise_target", &Config::standardise_target,
              "regression: train on the target shifted to mean 0 and scaled to variance 1"},
    Parameter{"seed", &Config::seed, "every random draw follows from it", 0, whole_limit},
};

template <class List>
std::vector<Parameter> with_common(const List& own) {
  std::vector<Parameter> list(own.begin(), own.end());
  list.insert(list.end(), of_both.begin(), of_both.end());
  return list;
}

}  // namespace

std::span<const Parameter> parameters(model::Method method) {
  static const std::vector<Parameter> network = with_common(of_network), adaboost = with_common(of_adaboost);
  return method == model::Method::network ? network : adaboost;
}

Config configure(model::Method method, std::span<const Setting> overrides) {
  Config config;
  if (method == model::Method::adaboost) config.solver = "lbfgs";
  const auto list = parameters(method);
  for (const auto& [name, text] : overrides) {
    const auto found = std::ranges::find(list, std::string_view(name), &Parameter::name);
    if (found == list.end()) {
      std::string flags;
      for (const Parameter& p : list) flags += (flags.empty() ? "" : ", ") + p.flag();
      throw core::UsageError(fmt::format("{}: --method {} has no such parameter; it has {}",
                                         Parameter{name.c_str(), {}, ""}.flag(), model::method_name(method), flags));
    }
    boosting::set(config, *found, text);
  }
  return config;
}

std::vector<Setting> settings_of(model::Method method, const Config& config) {
  std::vector<Setting> settings{{"method", model::method_name(method)}};
  for (const Parameter& p : parameters(method)) settings.emplace_back(p.name, boosting::get(config, p));
  return settings;
}

}  // namespace accrete::baseline

namespace accrete::boosting {

template struct BasicParameter<baseline::Config>;
template std::string get(const baseline::Config&, const baseline::Parameter&);
template void set(baseline::Config&, const baseline::Parameter&, std::string_view);

}  // namespace accrete::boosting
