#include "cli/demo_experiment.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "accrete/boosting/fit.hpp"
#include "accrete/data/generate.hpp"
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

core::Matrix<double> targets_of(const data::Table& table, const model::Model& model) {
  const std::size_t column[] = {table.require(model.targets.front())};
  return data::read_target_as(table, column, model.task, model.classes);
}

data::Table grid(double limit) {
  core::Matrix<float> centres(fine * fine, 2);
  const auto place = [limit](std::size_t i) { return limit * ((2.0 * static_cast<double>(i) + 1.0) / fine - 1.0); };
  for (std::size_t row = 0; row < fine; ++row)
    for (std::size_t column = 0; column < fine; ++column) {
      centres(row * fine + column, 0) = static_cast<float>(place(column));
      centres(row * fine + column, 1) = static_cast<float>(place(fine - 1 - row));
    }
  const std::string names[] = {"x1", "x2"};
  return data::Table::from_rows(centres, names);
}

/// Every step-th of the fine cells, starting in the middle of the first step.
Surface sampled(core::MatrixView<const double> predictions, std::size_t step) {
  Surface surface{fine / step, {}};
  for (std::size_t row = step / 2; row < fine; row += step)
    for (std::size_t column = step / 2; column < fine; column += step)
      surface.probability.push_back(static_cast<float>(predictions(row * fine + column, 1)));
  return surface;
}

void place_points(Experiment& experiment, const data::Table& training, const model::Model& model) {
  const auto targets = targets_of(training, model);
  experiment.limit = 5.0;
  for (std::size_t r = 0; r < training.rows(); ++r) {
    const Point p{training.columns[0].numbers[r], training.columns[1].numbers[r]};
    experiment.points[static_cast<std::size_t>(targets(r, 0))].push_back(p);
    // A little room, so that the outermost marker is not cut by the frame.
    experiment.limit = std::max({experiment.limit, std::ceil(std::abs(p.x) + 0.2), std::ceil(std::abs(p.y) + 0.2)});
  }
}

}  // namespace

Experiment run_experiment(std::uint64_t seed, core::Workers& workers) {
  Experiment experiment;
  const data::Generator& generator = data::generator_named("ringnorm2");
  const data::Table training = generator.make(Experiment::training_rows, seed);
  const data::Table test = generator.make(Experiment::test_rows, ~seed);
  experiment.settings = {{"units", std::to_string(Experiment::units)},
                         {"units_per_step", "1"},
                         {"learning_rate", "0.5"},
                         {"subsample", "1"},
                         {"seed", std::to_string(seed)}};
  boosting::FitOptions options;
  options.preset = "paper";
  options.overrides = experiment.settings;
  options.workers = &workers;
  const model::Model model = boosting::fit(training, options).model;
  place_points(experiment, training, model);

  const auto targets = targets_of(test, model);
  experiment.bayes = bayes_accuracy(test, targets);
  model::predict_staged(model, test, workers, [&](std::size_t units, core::MatrixView<const double> predictions) {
    if (units > 0) experiment.accuracies.push_back(metric::Accuracy::value({predictions, targets, {}}));
  });
  model::predict_staged(model, grid(experiment.limit), workers,
                        [&](std::size_t units, core::MatrixView<const double> predictions) {
                          if (units > 0) experiment.surfaces.push_back(sampled(predictions, stride));
                          for (std::size_t i = 0; i < Experiment::panel_units.size(); ++i)
                            if (Experiment::panel_units[i] == units) experiment.panels[i] = sampled(predictions, 1);
                        });
  return experiment;
}

}  // namespace accrete::cli
