#pragma once
// Everything that shapes a fit, as a plain struct. The list of parameters (boosting/parameters) gives each field its
// flag, range and documentation; presets fill the struct, flags override single fields.

#include <cstdint>
#include <string>

namespace accrete::boosting {

struct Config {
  // the network
  std::uint64_t units = 800;
  std::uint64_t units_per_step = 4;
  double learning_rate = 0.1;
  double first_rate = 0.0;
  double subsample = 1.0;
  double feature_fraction = 0.5;
  std::string activation = "relu";
  std::uint64_t bins = 0;  ///< a model file that does not mention bins has none

  // what a step minimises, and how
  std::string loss = "auto";       ///< by task: squared, logistic or softmax
  std::string objective = "auto";  ///< residual, direct or projected; auto: by loss and solver
  std::string solver = "lbfgs";
  double alpha = 0.1;
  std::uint64_t max_iter = 50;
  std::uint64_t joint_iter = 0;
  double tolerance = 1e-6;
  double tolerance_floor = 0.0;
  double gain_tolerance = 0.0;
  bool gauss_newton = false;
  bool standardise_target = true;
  bool rescale_residual = true;
  bool prior_start = false;
  double huber_delta = 1.0;
  double quantile = 0.5;

  // the stochastic solvers
  std::uint64_t batch_size = 200;
  double solver_rate = 1e-3;
  double momentum = 0.9;

  // rows
  std::string class_weight = "none";
  double validation_fraction = 0.0;
  std::uint64_t patience = 0;  ///< units without improvement before stopping; 0: keep the best, do not stop

  bool automatic = false;   ///< alpha, bins and units that are not given are chosen on rows held out
  double time_limit = 0.0;  ///< seconds; 0: none

  std::uint64_t seed = 0;

  bool operator==(const Config&) const = default;
};

}  // namespace accrete::boosting
