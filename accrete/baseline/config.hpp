#pragma once
// Everything that shapes the fit of a plain network or an AdaBoost of them; scikit-learn's defaults, so that figures
// compare. baseline/parameters gives each field its flag, range and documentation.

#include <cstdint>
#include <string>
#include <vector>

namespace accrete::baseline {

struct Config {
  // a plain network
  std::vector<std::uint64_t> hidden{100};  ///< units of each hidden layer

  // AdaBoost
  std::uint64_t estimators = 67;
  std::uint64_t units_per_step = 3;
  double learning_rate = 1.0;

  // how a network is trained
  std::string activation = "relu";
  std::string solver = "adam";
  double alpha = 1e-4;
  std::uint64_t max_iter = 200;
  double tolerance = 1e-4;
  std::uint64_t batch_size = 200;
  double solver_rate = 1e-3;
  double momentum = 0.9;
  std::string schedule = "constant";
  bool standardise_target = false;

  std::uint64_t seed = 0;

  bool operator==(const Config&) const = default;
};

}  // namespace accrete::baseline
