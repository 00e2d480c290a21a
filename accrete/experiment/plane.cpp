#include "accrete/experiment/plane.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "accrete/boosting/fit.hpp"
#include "accrete/data/generate.hpp"
#include "accrete/data/target.hpp"

namespace accrete::experiment {

Plane make_plane(std::uint64_t seed) {
  const data::Generator& generator = data::generator_named("ringnorm2");
  Plane plane{generator.make(Plane::training_rows, seed), generator.make(Plane::test_rows, ~seed), {}, {}, 5.0};
  const std::size_t column[] = {plane.training.require("target")};
  const data::Target target = data::read_target(plane.training, column, data::Task::binary);
  plane.test_targets = data::read_target_as(plane.test, column, data::Task::binary, target.classes);
  for (std::size_t r = 0; r < plane.training.rows(); ++r) {
    const double x1 = plane.training.columns[0].numbers[r], x2 = plane.training.columns[1].numbers[r];
    plane.points.push_back({x1, x2, static_cast<std::size_t>(target.values(r, 0))});
    // A margin, so that the frame does not clip the outermost marker.
    plane.limit = std::max({plane.limit, std::ceil(std::abs(x1) + 0.2), std::ceil(std::abs(x2) + 0.2)});
  }
  return plane;
}

config::Config plane_config(std::uint64_t seed) {
  return {.units = Plane::units, .units_per_step = 1, .learning_rate = 0.5, .subsample = 1.0, .seed = seed};
}

model::Model grow_on(const Plane& plane, std::uint64_t seed, core::Workers& workers) {
  boosting::FitOptions options;
  options.preset = "paper";
  options.config = plane_config(seed);
  options.workers = &workers;
  return boosting::fit(plane.training, options).model;
}

data::Table cell_centres(double limit, std::size_t side) {
  core::Matrix<float> centres(side * side, 2);
  const auto place = [&](std::size_t i) {
    return limit * ((2.0 * static_cast<double>(i) + 1.0) / static_cast<double>(side) - 1.0);
  };
  for (std::size_t row = 0; row < side; ++row)
    for (std::size_t column = 0; column < side; ++column) {
      centres(row * side + column, 0) = static_cast<float>(place(column));
      centres(row * side + column, 1) = static_cast<float>(place(side - 1 - row));
    }
  const std::string names[] = {"x1", "x2"};
  return data::Table::from_rows(centres, names);
}

}  // namespace accrete::experiment
