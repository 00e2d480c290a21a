#include "accrete/boosting/step.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/boosting/samples.hpp"

namespace accrete::boosting::step_test {
namespace {

/// Derivative and curvature of the loss of one row at given scores.
struct Slopes {
  std::vector<double> first, second;
};
Slopes slopes(const config::ResolvedConfig& config, const Sample& s, const core::Matrix<double>& scores,
              std::size_t r) {
  const loss::Loss loss = config::loss_of(config);
  Slopes result{std::vector<double>(scores.cols()), std::vector<double>(scores.cols())};
  const loss::LossRows<double> run{.count = 1,
                                   .stride = 1,
                                   .outputs = scores.cols(),
                                   .targets = s.data.targets.row(r).data(),
                                   .scores = scores.row(r).data(),
                                   .settings = loss.settings};
  loss.visit([&](auto l) {
    decltype(l)::derivatives(run, result.first.data());
    decltype(l)::curvatures(run, result.second.data());
  });
  return result;
}

TEST(ResidualStep, ReachesTheMinimumOfItsQuadraticBeforeShrinkage) {
  // Along g = F_t - F_{t-1} the quadratic model of the loss is q(a) = a sum w L' g + a^2/2 sum w L'' g^2; the whole
  // Newton step is at a = 1 / rate, for each output by itself.
  for (const char* kind : {"binary", "three"})
    for (const char* objective : {"residual", "projected"}) {
      Sample s = make_sample(kind, 200);
      for (std::size_t r = 0; r < 200; ++r) s.data.weights[r] = r % 3 == 0 ? 2.0 : 0.5;
      const config::ResolvedConfig config = config_of({kind, objective}, s, {.learning_rate = 0.5, .subsample = 0.5});
      const auto scores = staged(train_on(s, config).network, s);
      for (std::size_t t = 1; t < scores.size(); ++t)
        for (std::size_t k = 0; k < s.outputs; ++k) {
          double slope = 0.0, curvature = 0.0;
          for (std::size_t r = 0; r < 200; ++r) {
            const auto l = slopes(config, s, scores[t - 1], r);
            const double g = scores[t](r, k) - scores[t - 1](r, k);
            slope += s.data.weights[r] * l.first[k] * g;
            curvature += s.data.weights[r] * l.second[k] * g * g;
          }
          const auto q = [&](double a) { return a * slope + 0.5 * a * a * curvature; };
          EXPECT_NEAR(-slope / curvature, 2.0, 2e-4) << kind << " step " << t << " output " << k;
          EXPECT_LT(q(2.0), q(2.02));
          EXPECT_LT(q(2.0), q(1.98));
        }
    }
}

TEST(ResidualStep, NeverRaisesTheMulticlassLossAtFullRate) {
  const Sample s = make_sample("three", 200);
  for (const char* objective : {"residual", "projected"}) {
    const config::ResolvedConfig config =
        config_of({"three", objective}, s, {.units = 60, .learning_rate = 1, .subsample = 0.5});
    const auto curve = train_on(s, config).curves.train;
    for (std::size_t t = 1; t < curve.size(); ++t)
      EXPECT_LE(curve[t], curve[t - 1] * (1 + 1e-5) + 1e-7) << objective << " step " << t;
    EXPECT_LT(curve.back(), 0.5 * curve.front());
  }
}

/// Squared error left by a first step at rate 1.
double left_by_first_step(const Sample& s, const config::Config& more) {
  const auto whole = with_defaults(more, {.units = 3, .units_per_step = 3, .learning_rate = 1});
  return train_on(s, config_of({"number", "projected"}, s, whole)).curves.train.back();
}

TEST(ProjectedStep, CountsJointIterationsAndEndsWithTheOutputLayerSolved) {
  const Sample s = make_sample("number", 300);
  const double all_joint = left_by_first_step(s, {.max_iter = 8, .joint_iter = 8});
  const double both = left_by_first_step(s, {.max_iter = 40, .joint_iter = 8});
  const double more_joint = left_by_first_step(s, {.max_iter = 8, .joint_iter = 1000});
  EXPECT_LT(both, all_joint);
  EXPECT_EQ(more_joint, all_joint);
  const config::ResolvedConfig searched =
      config_of({"number", "residual"}, s, {.units = 3, .units_per_step = 3, .learning_rate = 1, .max_iter = 8});
  EXPECT_LT(all_joint, train_on(s, searched).curves.train.back()) << "the same hidden layer with a better output layer";
}

TEST(ProjectedStep, ConvergesByGainToleranceAfterItsJointIterations) {
  const Sample s = make_sample("number", 300);
  const auto left = [&](double share, std::uint64_t joint) {
    return left_by_first_step(s, {.max_iter = 60, .joint_iter = joint, .tolerance = 0, .gain_tolerance = share});
  };
  EXPECT_GT(left(0.9, 0), left(0.01, 0));
  EXPECT_GT(left(0.01, 0), left(0.0, 0));
  EXPECT_EQ(left(0.9, 60), left(0.0, 60));
}

TEST(ProjectedStep, ConvergesFasterWithGaussNewton) {
  // The loss of a step varies by a few percent: five seeds, and bounds three times their standard error.
  for (const char* kind : {"binary", "number"}) {
    const Sample s = make_sample(kind, 6000);
    const auto left = [&](bool gauss_newton, std::uint64_t iterations) {
      double sum = 0.0;
      for (std::uint64_t seed = 1; seed <= 5; ++seed)
        sum += train_on(s, config::configure("paper", s.task,
                                             {.units = 20,
                                              .learning_rate = 0.5,
                                              .subsample = 1,
                                              .max_iter = iterations,
                                              .gauss_newton = gauss_newton,
                                              .seed = seed}))
                   .curves.train.back();
      return sum;
    };
    EXPECT_LT(left(true, 12), 0.92 * left(false, 12)) << kind;
    EXPECT_LT(left(true, 12), 1.06 * left(false, 45)) << kind;
  }
}

/// An iteration over 6,000 rows must lower the objective by 1.5e-6 of it.
TEST(ProjectedStep, EndsGaussNewtonAtATolerancePerRow) {
  const Sample s = make_sample("number", 6000);
  const auto left = [&](double tolerance) {
    const auto curve = train_on(s, config_of({"number", "projected"}, s,
                                             {.units = 1,
                                              .units_per_step = 1,
                                              .max_iter = 1000,
                                              .tolerance = tolerance,
                                              .gain_tolerance = 0,
                                              .gauss_newton = true}));
    return curve.curves.train.back();
  };
  EXPECT_EQ(left(0.0), left(1.4e-6));
  EXPECT_LT(left(0.0), left(0.01));
}

TEST(ProjectedStep, UsesGaussNewtonForFewWeightsOnly) {
  // 6 features in steps of 3 units over 40 rows: the matrix costs more than it saves.
  const Sample s = make_sample("number", 40);
  EXPECT_EQ(left_by_first_step(s, {.gauss_newton = true}), left_by_first_step(s, {.gauss_newton = false}));
}

TEST(ResidualStep, FitsTheResidualsOfSquaredError) {
  // rho = 1: the whole step leaves residuals whose mean is 0, because the output bias is free.
  const Sample s = make_sample("number", 120);
  const config::ResolvedConfig config =
      config_of({"number", "residual"}, s, {.learning_rate = 0.5, .max_iter = 500, .tolerance = 1e-12});
  const auto scores = staged(train_on(s, config).network, s);
  for (std::size_t t = 1; t < scores.size(); ++t) {
    double left = 0.0;
    for (std::size_t r = 0; r < 120; ++r)
      left += s.data.targets(r, 0) - scores[t - 1](r, 0) - 2.0 * (scores[t](r, 0) - scores[t - 1](r, 0));
    EXPECT_NEAR(left / 120.0, 0.0, 1e-4) << t;
  }
}

/// The network evaluated step by step with plain loops.
TEST(Step, AssemblesTheSumOfThePaper) {
  const Sample s = make_sample("three", 40);
  const config::ResolvedConfig config = config_of({"three", "residual"}, s, {.feature_fraction = 0.5});
  const auto net = train_on(s, config).network;
  const auto scores = staged(net, s);
  for (std::size_t r = 0; r < 40; ++r) {
    std::vector<double> f(net.bias_after(net.steps()).begin(), net.bias_after(net.steps()).end());
    for (std::size_t u = 0; u < net.units(); ++u) {
      double z = net.hidden_bias()[u];
      for (std::size_t i = 0; i < 6; ++i) z += double(net.hidden_weights()[u * 6 + i]) * s.data.features.at(r, i);
      for (std::size_t k = 0; k < 3; ++k) f[k] += net.output_weights()[u * 3 + k] * std::tanh(z);
    }
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(scores.back()(r, k), f[k], 1e-5 * (1 + std::abs(f[k])));
  }
}

struct Draws {
  std::vector<std::vector<std::size_t>> rows, features;
};
Draws draws_of(const config::ResolvedConfig& config, std::size_t rows, std::size_t features, std::size_t steps) {
  const Sample s = make_sample("number", 2);
  core::Workers workers(1);
  const loss::Loss loss = config::loss_of(config);
  const auto resident =
      backend::backend_named("reference")
          .make({.dataset = s.data, .outputs = 1, .loss = loss, .activation = {}, .workers = workers});
  const InitialWeights initial = uniform_weights(config);
  StepContext context{
      .rows = *resident, .config = config, .loss = loss, .row_count = rows, .outputs = 1, .initial = initial};
  Draws draws;
  for (; context.step < steps; ++context.step) {
    draw(context, core::TiledMatrix(1, features));
    draws.rows.push_back(context.drawn_rows);
    draws.features.push_back(context.drawn.features);
  }
  return draws;
}

TEST(Draw, DrawsTheFloorOfTheShareWithoutReplacement) {
  config::ResolvedConfig config = config::configure("default", data::Task::regression, {});
  for (auto [share, rows, wanted] :
       {std::tuple{0.5, 101, 50}, {0.75, 10, 7}, {0.99, 3, 2}, {0.25, 1000, 250}, {0.29, 100, 29}, {0.07, 100, 7}}) {
    config.subsample = share;
    const auto draws = draws_of(config, static_cast<std::size_t>(rows), 6, 20);
    for (const auto& drawn : draws.rows) {
      EXPECT_EQ(drawn.size(), static_cast<std::size_t>(wanted)) << share << " of " << rows;
      EXPECT_EQ(std::set<std::size_t>(drawn.begin(), drawn.end()).size(), drawn.size());
      EXPECT_LT(drawn.back(), static_cast<std::size_t>(rows));
    }
    EXPECT_GT(std::set<std::vector<std::size_t>>(draws.rows.begin(), draws.rows.end()).size(), rows > 50 ? 19u : 2u);
  }
  config.subsample = 1.0;
  for (const auto& drawn : draws_of(config, 10, 6, 3).rows) EXPECT_TRUE(drawn.empty()) << "empty means all";
}

TEST(Draw, DrawsAShareOfTheFeaturesAndAtLeastFour) {
  config::ResolvedConfig config = config::configure("default", data::Task::binary, {});
  for (auto [share, features, wanted] :
       {std::tuple{0.5, 20, 10}, {0.7, 10, 7}, {0.01, 5, 4}, {0.5, 2, 2}, {1.0, 8, 8}, {0.5, 1, 1}}) {
    config.feature_fraction = share;
    const auto draws = draws_of(config, 10, static_cast<std::size_t>(features), 30);
    std::set<std::size_t> seen;
    for (const auto& drawn : draws.features) {
      EXPECT_EQ(drawn.size(), static_cast<std::size_t>(wanted)) << share << " of " << features;
      EXPECT_TRUE(std::ranges::is_sorted(drawn));
      seen.insert(drawn.begin(), drawn.end());
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(features)) << "every feature must be drawn in some step";
  }
}

TEST(Draw, GivesFeaturesNotDrawnNoWeight) {
  const Sample s = make_sample("binary", 100);
  const auto net = train_on(s, config_of({"binary", "direct"}, s, {.feature_fraction = 0.5})).network;
  for (std::size_t step = 0; step < net.steps(); ++step)
    for (std::size_t unit = 0; unit < 2; ++unit)
      EXPECT_EQ(std::ranges::count(net.hidden_weights().subspan(step * 12 + unit * 6, 6), 0.0f), 2);
}

TEST(InitialWeights, FillTheirBounds) {
  for (const char* name : activation::All::names) {
    config::ResolvedConfig config = config::configure("default", data::Task::binary, {.activation = name});
    const double gain = std::string_view(name) == "logistic" ? 2.0 : 6.0;
    const backend::BlockShape shape{10, 6, 4};
    std::vector<double> hidden, output;
    for (std::size_t step = 0; step < 50; ++step) {
      std::vector<double> p(shape.size());
      uniform_weights(config)(step, shape, p);
      for (std::size_t i = 0; i < p.size(); ++i) (i < shape.hidden_size() ? hidden : output).push_back(p[i]);
    }
    const auto top = [](const auto& v) { return *std::ranges::max_element(v); };
    const auto bottom = [](const auto& v) { return *std::ranges::min_element(v); };
    const double hidden_bound = std::sqrt(gain / 16.0), output_bound = std::sqrt(gain / 10.0);
    EXPECT_LE(top(hidden), hidden_bound);
    EXPECT_GE(top(hidden), 0.98 * hidden_bound);
    EXPECT_GE(bottom(hidden), -hidden_bound);
    EXPECT_LE(bottom(hidden), -0.98 * hidden_bound);
    EXPECT_LE(top(output), output_bound);
    EXPECT_GE(top(output), 0.98 * output_bound);
    EXPECT_GE(bottom(output), -output_bound);
    EXPECT_LE(bottom(output), -0.98 * output_bound);
  }
}

TEST(Step, LowersTheLossWithAdamAndSgd) {
  for (const char* kind : {"binary", "three", "number"})
    for (const char* solver : {"adam", "sgd"})
      for (const char* objective : {"direct", "residual"}) {
        const Sample s = make_sample(kind, 300);
        const config::ResolvedConfig config =
            config_of({kind, objective}, s,
                      {.solver = solver, .alpha = 0.001, .max_iter = 100, .batch_size = 50, .solver_rate = 0.02});
        const auto curve = train_on(s, config).curves.train;
        EXPECT_LT(curve.back(), 0.85 * curve.front()) << kind << " " << solver << " " << objective;
      }
}

TEST(Step, IgnoresMiniBatchesWithoutWeight) {
  Sample s = make_sample("binary", 60);
  for (std::size_t r = 0; r < 60; ++r) s.data.weights[r] = r % 2 == 0 ? 2.0 : 0.0;
  const config::ResolvedConfig config =
      config_of({"binary", "direct"}, s,
                {.solver = "adam", .alpha = 0.0001, .max_iter = 20, .batch_size = 1, .solver_rate = 0.01});
  const auto result = train_on(s, config);
  for (double loss : result.curves.train) EXPECT_TRUE(std::isfinite(loss));
  EXPECT_LT(result.curves.train.back(), result.curves.train.front());
}

}  // namespace
}  // namespace accrete::boosting::step_test
