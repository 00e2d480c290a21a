#include "accrete/boosting/newton.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "accrete/boosting/fit.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/generate.hpp"
#include "accrete/loss/list.hpp"
#include "tests/boosting/samples.hpp"

namespace accrete::boosting {
namespace {

/// Rows of one output that a block moves by h: mostly right, a few far on the wrong side.
struct Line {
  loss::Loss loss;
  std::vector<double> targets, scores, h;

  double sum_at(double share) const {
    double sum = 0.0;
    for (std::size_t r = 0; r < h.size(); ++r) {
      const double score = scores[r] + share * h[r];
      double value = 0.0;
      loss.visit([&](auto l) { decltype(l)::values(run(r, score), &value); });
      sum += value;
    }
    return sum;
  }

  NewtonMove newton() const {
    double slope = 0.0, curvature = 0.0, largest = 0.0;
    for (std::size_t r = 0; r < h.size(); ++r) {
      double first = 0.0, second = 0.0;
      loss.visit([&](auto l) {
        decltype(l)::derivatives(run(r, scores[r]), &first);
        decltype(l)::curvatures(run(r, scores[r]), &second);
      });
      slope -= first * h[r], curvature += second * h[r] * h[r], largest = std::max(largest, std::abs(h[r]));
    }
    return {newton_step(slope, curvature), curvature, largest};
  }

 private:
  loss::Run<double> run(std::size_t r, const double& score) const {
    return {1, 1, 1, &targets[r], &score, loss.settings};
  }
};

Line random_line(const char* loss, std::uint64_t seed) {
  core::Rng rng(seed, 0, core::Purpose::generator);
  const bool logistic = std::string(loss) == "logistic";
  const double far = rng.uniform(0.0, logistic ? 14.0 : 3.0), spread = rng.uniform(0.0, 2.0);
  Line line{loss::Loss::named(loss), {}, {}, {}};
  for (std::size_t r = 0; r < 40; ++r) {
    const double wrong = rng.uniform(0.0, 1.0) < 0.1 ? -1.0 : 1.0;
    line.targets.push_back(logistic ? static_cast<double>(r % 2) : static_cast<double>(r % 7));
    line.scores.push_back(wrong * (line.targets[r] > 0.5 ? far : -far) + 0.3 * rng.normal());
    line.h.push_back(wrong < 0.0 ? rng.uniform(0.5, 1.0) * (line.targets[r] > 0.5 ? 1.0 : -1.0)
                                 : 0.1 * spread * rng.normal());
  }
  return line;
}

TEST(NewtonMove, bounds_what_a_step_does_and_knows_a_share_that_helps) {
  for (const char* loss : {"logistic", "poisson"}) {
    std::size_t raised = 0, sure = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
      const Line line = random_line(loss, seed);
      const NewtonMove move = line.newton();
      const double before = line.sum_at(0.0), rounding = 1e-9 * (1.0 + std::abs(before));
      for (const double rate : {0.1, 0.5, 1.0}) {
        const double rise = line.sum_at(rate * move.rho) - before;
        EXPECT_LE(rise, move.most_rise(rate) * (1.0 + 1e-9) + rounding) << loss << " " << seed << " rate " << rate;
        EXPECT_LE(line.sum_at(rate * move.sure_share() * move.rho), before + rounding) << loss << " " << seed;
        raised += rise > rounding;
        sure += move.most_rise(rate) == 0.0;
      }
    }
    EXPECT_GT(raised, 100u) << loss << ": whole steps that go too far are what this is about";
    EXPECT_GT(sure, 500u) << loss << ": ordinary steps need no second look";
  }
}

TEST(NewtonMove, is_nothing_where_nothing_moves) {
  for (const NewtonMove& still : {NewtonMove{0.0, 1.0, 2.0}, NewtonMove{3.0, 0.0, 0.0}}) {
    EXPECT_EQ(still.most_rise(1.0), 0.0);
    EXPECT_EQ(still.sure_share(), 1.0);
  }
}

struct Task {
  const char* data;
  std::size_t rows;
  const char* subsample;
};

/// Twenty units and more into such a fit a few rows are wrong and all others right: the Newton step of a block that
/// moves the few used to be thousands of times too long.
void expect_no_running_away(const Task& task, std::uint64_t seeds) {
  core::Workers workers(1);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    FitOptions options;
    options.preset = "paper";
    options.overrides = {{"units", "60"}, {"subsample", task.subsample}, {"seed", std::to_string(seed)}};
    options.workers = &workers;
    const auto fitted = fit(data::generator_named(task.data).make(task.rows, seed), options);
    const auto& curve = fitted.model.provenance.train_loss;
    EXPECT_LE(*std::ranges::max_element(curve), curve.front() * (1.0 + 1e-5)) << task.data << " seed " << seed;
    EXPECT_LT(curve.back(), curve[20]) << task.data << " seed " << seed << ": it goes on learning";
  }
}

TEST(NewtonStep, no_fit_runs_away_at_full_rate) {
  expect_no_running_away({"ringnorm2", 100, "1"}, 40);
  expect_no_running_away({"ringnorm2", 200, "0.5"}, 60);
  expect_no_running_away({"twonorm", 300, "0.5"}, 40);
}

/// Sixty rows of one number, all but the last two on their side by far; those two as far on the wrong one.
Sample nearly_right() {
  Sample s;
  s.task = data::Task::binary;
  core::TiledMatrix numbers(60, 1);
  s.data.targets = core::Matrix<double>(60, 1);
  s.data.weights.assign(60, 1.0);
  for (std::size_t r = 0; r < 60; ++r) {
    numbers.at(r, 0) = -1.0f + static_cast<float>(r) / 30.0f;
    s.data.targets(r, 0) = r >= 30 && r < 58 ? 1.0 : 0.0;
  }
  s.data.features = std::move(numbers);
  return s;
}

TEST(NewtonStep, does_not_leap_over_rows_without_curvature_on_any_backend) {
  const Sample s = nearly_right();
  core::Workers workers(1);
  for (const auto& backend : backend::backends())
    for (const char* objective : {"residual", "projected"}) {
      const std::vector<Setting> settings{
          {"units", "6"}, {"subsample", "1"}, {"objective", objective}, {"gauss_newton", "off"}};
      const Config config = configure("paper", s.task, settings);
      const TrainTask task{config, s.data, 1, nullptr, backend.name, workers, {}};
      network::Network network = start_network(task);
      network.append({.units = 1,
                      .outputs = 1,
                      .features = {0},
                      .hidden_weights = {200.0f},
                      .hidden_bias = {3.0f},
                      .output_weights = {24.0f},
                      .output_bias = {-12.0}});
      const auto curve = train(task, network, {}, {}).curves.train;
      ASSERT_EQ(curve.size(), 7u);
      for (std::size_t t = 2; t < curve.size(); ++t)
        EXPECT_LE(curve[t], std::max(curve[t - 1], curve[0]) * (1.0 + 1e-5)) << backend.name << " " << objective << t;
    }
}

}  // namespace
}  // namespace accrete::boosting
