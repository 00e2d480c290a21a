#pragma once
// All parameters of a fit, as a plain struct. config/parameters.cpp gives each field its name, range and documentation.
//
//   Config given{.units = 200, .learning_rate = 0.1};              what a caller gives; other fields are unset
//   ResolvedConfig config = configure("default", task, given);     what a fit runs with; every field has a value

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accrete/config/constraints.hpp"
#include "accrete/config/field.hpp"
#include "accrete/config/row_weights.hpp"

namespace accrete::config {

/// Field is std::optional for the caller's Config and Plain for ResolvedConfig. The defaults are those of
/// ResolvedConfig; a model file that does not record a parameter was fitted with its default.
template <template <class> class Field>
struct BasicConfig {
  // the network
  Field<std::uint64_t> units = initial<Field, std::uint64_t>(800);
  Field<std::uint64_t> units_per_step = initial<Field, std::uint64_t>(4);
  Field<double> learning_rate = initial<Field, double>(0.1);
  Field<double> first_rate = initial<Field, double>(0.0);
  Field<double> subsample = initial<Field, double>(1.0);
  Field<double> feature_fraction = initial<Field, double>(0.5);
  Field<std::string> activation = initial<Field, std::string>("relu");
  Field<std::uint64_t> bins = initial<Field, std::uint64_t>(0);

  // the objective of a step and its solver
  Field<std::string> loss = initial<Field, std::string>("auto");       ///< auto: squared, logistic or softmax, by task
  Field<std::string> objective = initial<Field, std::string>("auto");  ///< auto: by loss and solver
  Field<std::string> solver = initial<Field, std::string>("lbfgs");
  Field<double> alpha = initial<Field, double>(0.1);
  Field<std::uint64_t> max_iter = initial<Field, std::uint64_t>(50);
  Field<std::uint64_t> joint_iter = initial<Field, std::uint64_t>(0);
  Field<double> tolerance = initial<Field, double>(1e-6);
  Field<double> tolerance_floor = initial<Field, double>(0.0);
  Field<double> gain_tolerance = initial<Field, double>(0.0);
  Field<bool> gauss_newton = initial<Field, bool>(false);
  Field<bool> standardise_target = initial<Field, bool>(true);
  Field<bool> rescale_residual = initial<Field, bool>(true);
  Field<bool> prior_start = initial<Field, bool>(false);
  Field<double> huber_delta = initial<Field, double>(1.0);
  Field<double> quantile = initial<Field, double>(0.5);
  Field<std::vector<double>> quantiles = initial<Field, std::vector<double>>({});  ///< ascending; empty: none

  // constraints on the score
  Field<Monotone> monotone = initial<Field, Monotone>({});
  Field<Interactions> interactions = initial<Field, Interactions>({});

  // the stochastic solvers
  Field<std::uint64_t> batch_size = initial<Field, std::uint64_t>(200);
  Field<double> solver_rate = initial<Field, double>(1e-3);
  Field<double> momentum = initial<Field, double>(0.9);

  // rows
  Field<ClassWeights> class_weight = initial<Field, ClassWeights>({});
  Field<GroupWeights> group_weight = initial<Field, GroupWeights>({});
  Field<double> interval = initial<Field, double>(0.0);  ///< coverage of calibrated intervals or sets; 0: none
  Field<double> calibration_fraction = initial<Field, double>(0.2);
  Field<double> validation_fraction = initial<Field, double>(0.0);
  Field<std::uint64_t> patience = initial<Field, std::uint64_t>(0);  ///< in units; 0: never stop early
  Field<std::string> metric = initial<Field, std::string>("loss");   ///< of the validation set, for early stopping

  Field<bool> automatic = initial<Field, bool>(false);   ///< choose unset parameters on held-out rows
  Field<double> time_limit = initial<Field, double>(0);  ///< seconds; 0: none

  Field<std::uint64_t> seed = initial<Field, std::uint64_t>(0);

  bool operator==(const BasicConfig&) const = default;
};

using Config = BasicConfig<std::optional>;
using ResolvedConfig = BasicConfig<Plain>;

/// True if units have bounds on their weights.
inline bool is_constrained(const ResolvedConfig& config) {
  return !config.monotone.empty() || !config.interactions.empty();
}

}  // namespace accrete::config
