#include "report/demo/demo.hpp"

#include <cmath>
#include <numbers>

#include "accrete/config/parameters.hpp"
#include "accrete/metric/accuracy.hpp"
#include "accrete/metric/log_loss.hpp"
#include "accrete/model/model.hpp"

namespace accrete::report {
namespace {

using experiment::Plane;

/// Class 1 is normal around 0 with variance 4, class 2 around (sqrt 2, sqrt 2) with variance 1; both are equally
/// frequent.
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

/// Probabilities of class 2 at every stride-th cell of the panel grid. The stride is odd, so the centres of the coarse
/// cells are centres of fine ones.
std::vector<double> sample_surface(core::MatrixView<const double> predictions, std::size_t stride) {
  std::vector<double> values;
  for (std::size_t row = stride / 2; row < Demo::panel_side; row += stride)
    for (std::size_t column = stride / 2; column < Demo::panel_side; column += stride)
      values.push_back(predictions(row * Demo::panel_side + column, 1));
  return values;
}

}  // namespace

Demo grow_demo(std::uint64_t seed, core::Workers& workers) {
  constexpr std::size_t stride = Demo::panel_side / Demo::dial_side;
  static_assert(stride % 2 == 1 && stride * Demo::dial_side == Demo::panel_side);
  const Plane plane = experiment::make_plane(seed);
  const model::Model model = experiment::grow_on(plane, seed, workers);

  Demo demo{.settings = config::settings_of(experiment::plane_config(seed)),
            .classes = {{{"class 1"}, {"class 2"}}},
            .limit = plane.limit,
            .bayes = bayes_accuracy(plane.test, plane.test_targets)};
  for (const auto& point : plane.points) {
    demo.classes[point.cloud].x.push_back(point.x1);
    demo.classes[point.cloud].y.push_back(point.x2);
  }
  const auto& training_loss = model.provenance.train_loss;  // the first entry is the loss without units
  demo.training_loss.assign(training_loss.begin() + 1, training_loss.end());
  model::predict_staged(model, plane.test, workers, [&](std::size_t units, core::MatrixView<const double> predictions) {
    if (units == 0) return;
    demo.accuracy.push_back(metric::Accuracy::value({predictions, plane.test_targets, {}}));
    demo.test_loss.push_back(metric::LogLoss::value({predictions, plane.test_targets, {}}));
  });
  model::predict_staged(model, experiment::cell_centres(plane.limit, Demo::panel_side), workers,
                        [&](std::size_t units, core::MatrixView<const double> predictions) {
                          if (units > 0) demo.dial.push_back(sample_surface(predictions, stride));
                          for (std::size_t i = 0; i < Plane::panel_units.size(); ++i)
                            if (Plane::panel_units[i] == units) demo.panels[i] = sample_surface(predictions, 1);
                        });
  return demo;
}

}  // namespace accrete::report
