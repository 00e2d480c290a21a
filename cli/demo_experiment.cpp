#include "cli/demo_experiment.hpp"

#include <cmath>
#include <numbers>

#include "accrete/metric/accuracy.hpp"
#include "accrete/model/model.hpp"

namespace accrete::cli {
namespace {

constexpr std::size_t fine = 400;
constexpr std::size_t stride = 5;  ///< odd, so that the centres of coarse cells are centres of fine ones

/// Class 1 is normal around 0 with variance 4, class 2 around (sqrt 2, sqrt 2) with variance 1; both are as frequent.
double bayes_accuracy(const data::Table& table, core::MatrixView<const double> targets) {
  std::size_t right = 0;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const double x1 = table.columns[0].numbers[r], x2 = table.columns[1].numbers[r];
    const double d1 = x1 - std::numbers::sqrt2, d2 = x2 - std::numbers::sqrt2;
    const double log_density_1 = -(x1 * x1 + x2 * x2) / 8.0 - std::log(4.0);
    const double log_density_2 = -(d1 * d1 + d2 * d2) / 2.0;
    right += (log_density_2 > log_density_1) == (targets(r, 0) == 1.0);
  }
  return static_cast<double>(right) / static_cast<double>(table.rows());
}

/// Every step-th of the fine cells, starting in the middle of the first step.
Surface sampled(core::MatrixView<const double> predictions, std::size_t step) {
  Surface surface{fine / step, {}};
  for (std::size_t row = step / 2; row < fine; row += step)
    for (std::size_t column = step / 2; column < fine; column += step)
      surface.probability.push_back(static_cast<float>(predictions(row * fine + column, 1)));
  return surface;
}

}  // namespace

Experiment run_experiment(std::uint64_t seed, core::Workers& workers) {
  const experiment::Plane plane = experiment::make_plane(seed);
  const model::Model model = experiment::grow_on(plane, seed, workers);
  Experiment experiment;
  experiment.settings = experiment::plane_settings(seed);
  experiment.limit = plane.limit;
  for (const auto& point : plane.points) experiment.points[point.cloud].push_back({point.x1, point.x2});
  experiment.bayes = bayes_accuracy(plane.test, plane.test_targets);
  model::predict_staged(model, plane.test, workers, [&](std::size_t units, core::MatrixView<const double> predictions) {
    if (units > 0) experiment.accuracies.push_back(metric::Accuracy::value({predictions, plane.test_targets, {}}));
  });
  model::predict_staged(model, experiment::cell_centres(plane.limit, fine), workers,
                        [&](std::size_t units, core::MatrixView<const double> predictions) {
                          if (units > 0) experiment.surfaces.push_back(sampled(predictions, stride));
                          for (std::size_t i = 0; i < Experiment::panel_units.size(); ++i)
                            if (Experiment::panel_units[i] == units) experiment.panels[i] = sampled(predictions, 1);
                        });
  return experiment;
}

}  // namespace accrete::cli
