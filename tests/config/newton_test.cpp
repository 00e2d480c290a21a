#include "accrete/config/newton.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "accrete/core/random.hpp"
#include "accrete/loss/list.hpp"

namespace accrete::config::newton_test {
namespace {

/// Rows of one output and a block h: most rows are right, a few are far on the wrong side.
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

  NewtonStep newton() const {
    double slope = 0.0, curvature = 0.0, max_h = 0.0;
    for (std::size_t r = 0; r < h.size(); ++r) {
      double first = 0.0, second = 0.0;
      loss.visit([&](auto l) {
        decltype(l)::derivatives(run(r, scores[r]), &first);
        decltype(l)::curvatures(run(r, scores[r]), &second);
      });
      slope -= first * h[r], curvature += second * h[r] * h[r], max_h = std::max(max_h, std::abs(h[r]));
    }
    return {newton_step(slope, curvature), curvature, max_h};
  }

 private:
  loss::LossRows<double> run(std::size_t r, const double& score) const {
    return {.count = 1, .stride = 1, .outputs = 1, .targets = &targets[r], .scores = &score, .settings = loss.settings};
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

TEST(NewtonStep, BoundsTheRiseOfTheLossAndKnowsASafeShare) {
  for (const char* loss : {"logistic", "poisson"}) {
    std::size_t raised = 0, safe = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
      const Line line = random_line(loss, seed);
      const NewtonStep step = line.newton();
      const double before = line.sum_at(0.0), rounding = 1e-9 * (1.0 + std::abs(before));
      for (const double rate : {0.1, 0.5, 1.0}) {
        const double rise = line.sum_at(rate * step.rho) - before;
        EXPECT_LE(rise, step.max_rise(rate) * (1.0 + 1e-9) + rounding) << loss << " " << seed << " rate " << rate;
        EXPECT_LE(line.sum_at(rate * step.safe_share() * step.rho), before + rounding) << loss << " " << seed;
        raised += rise > rounding;
        safe += step.max_rise(rate) == 0.0;
      }
    }
    EXPECT_GT(raised, 100u) << loss << ": the sample has whole steps that go too far";
    EXPECT_GT(safe, 500u) << loss << ": ordinary steps are known to be safe";
  }
}

TEST(NewtonStep, NeverRaisesTheLossIfNoRowMoves) {
  for (const NewtonStep& still : {NewtonStep{0.0, 1.0, 2.0}, NewtonStep{3.0, 0.0, 0.0}}) {
    EXPECT_EQ(still.max_rise(1.0), 0.0);
    EXPECT_EQ(still.safe_share(), 1.0);
  }
}

}  // namespace
}  // namespace accrete::config::newton_test
