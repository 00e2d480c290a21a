#pragma once
// The paper's illustrative example: two clouds of points in the plane, one normal around 0 with variance 4, the other
// around (sqrt 2, sqrt 2) with variance 1, and a network of 100 units grown on 200 of them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "accrete/config/config.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/model/model.hpp"

namespace accrete::experiment {

struct Plane {
  static constexpr std::size_t units = 100, training_rows = 200, test_rows = 20000;
  static constexpr std::array<std::size_t, 5> panel_units{1, 2, 3, 4, 100};  ///< shown side by side

  struct Point {
    double x1, x2;
    std::size_t cloud;  ///< 0 or 1
  };

  data::Table training, test;         ///< columns x1, x2, target
  std::vector<Point> points;          ///< the training points
  core::Matrix<double> test_targets;  ///< 0 or 1
  double limit = 0.0;                 ///< of both axes; all points lie within
};

/// Training and test rows are different draws from one seed.
Plane make_plane(std::uint64_t seed);

/// The configuration of the network: overrides of the preset "paper".
config::Config plane_config(std::uint64_t seed);
model::Model grow_on(const Plane& plane, std::uint64_t seed, core::Workers& workers);

/// The centres of side x side cells of the square from -limit to limit, row by row, top row first.
data::Table cell_centres(double limit, std::size_t side);

}  // namespace accrete::experiment
