#pragma once
// The experiment behind `accrete demo`: the paper's illustrative example. One network is grown on 200 points of two
// clouds in the plane and measured at every number of its units.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "accrete/boosting/parameters.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/experiment/plane.hpp"
#include "cli/canvas.hpp"

namespace accrete::cli {

/// Probabilities of class 2 over the square from -limit to limit, at the centres of side x side cells; the first
/// row is the top one, where x2 is largest.
struct Surface {
  std::size_t side = 0;
  std::vector<float> probability;

  float at(std::size_t row, std::size_t column) const { return probability[row * side + column]; }
};

struct Experiment {
  static constexpr std::size_t units = experiment::Plane::units, training_rows = experiment::Plane::training_rows,
                               test_rows = experiment::Plane::test_rows;
  static constexpr auto panel_units = experiment::Plane::panel_units;
  static constexpr std::array<std::size_t, 7> table_units{1, 2, 3, 4, 10, 50, 100};

  std::vector<boosting::Setting> settings;         ///< over those of the preset "paper"
  std::array<std::vector<Point>, 2> points;        ///< training points by class; y is x2 and goes up
  double limit = 0.0;                              ///< of both axes; all training points lie within
  std::vector<double> accuracies;                  ///< on the test rows, with 1, 2, ... units
  double bayes = 0.0;                              ///< of the best possible rule on the same rows
  std::vector<Surface> surfaces;                   ///< with 1, 2, ... units, coarse
  std::array<Surface, panel_units.size()> panels;  ///< with panel_units, fine

  double accuracy(std::size_t k) const { return accuracies[k - 1]; }
  const Surface& surface(std::size_t k) const { return surfaces[k - 1]; }
};

Experiment run_experiment(std::uint64_t seed, core::Workers& workers);

}  // namespace accrete::cli
