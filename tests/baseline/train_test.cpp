#include "accrete/baseline/train.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "tests/baseline/reference.hpp"
#include "tests/boosting/samples.hpp"

namespace accrete::baseline::train_test {
namespace {

/// Trains on a sample of tests/boosting/samples.hpp.
TrainedNetwork train_on(const boosting::Sample& s, const ResolvedConfig& config, const char* loss,
                        std::size_t threads = 1, const IterationObserver& observe = {}) {
  core::Workers workers(threads);
  const auto activation = activation::Activation::named(config.activation);
  return train({config,
                {s.data, s.outputs, loss::Loss::named(loss), activation, workers},
                {config.hidden.begin(), config.hidden.end()}},
               observe);
}

TEST(PlainTraining, LowersTheLossWithEverySolverTaskAndDepth) {
  for (const char* solver : {"adam", "sgd", "lbfgs"})
    for (const auto& [kind, loss] : std::map<std::string, const char*>{
             {"binary", "logistic"}, {"three", "softmax"}, {"number", "squared"}, {"pair", "squared"}})
      for (const auto& hidden : std::vector<std::vector<std::uint64_t>>{{30}, {20, 10, 10}}) {
        ResolvedConfig config;
        config.solver = solver;
        config.hidden = hidden;
        config.solver_rate = 0.01;
        const auto result = train_on(boosting::make_sample(kind, 430), config, loss);
        ASSERT_FALSE(result.losses.empty());
        EXPECT_LT(result.losses.back(), 0.85 * result.losses.front()) << solver << " " << kind << " " << hidden.size();
        EXPECT_NE(result.reason, solver::Reason::running);
      }
}

TEST(PlainTraining, DependsOnTheSeedAndNotOnThreads) {
  const auto sample = boosting::make_sample("three", 3000);
  for (const char* solver : {"adam", "sgd", "lbfgs"}) {
    ResolvedConfig config;
    config.solver = solver;
    config.hidden = {24, 12};
    config.max_iter = 5;
    config.batch_size = 1500;
    const auto once = train_on(sample, config, "softmax", 1);
    EXPECT_EQ(train_on(sample, config, "softmax", 3).network, once.network) << solver;
    config.seed = 1;
    EXPECT_NE(train_on(sample, config, "softmax", 1).network, once.network) << solver;
  }
}

TEST(PlainTraining, StartsUniformWithinTheBoundsOfEachLayer) {
  for (const char* name : activation::All::names) {
    ResolvedConfig config;
    config.activation = name;
    config.hidden = {40, 30};
    config.solver = "sgd";
    config.solver_rate = std::numeric_limits<double>::min();  // no visible step
    config.max_iter = 1;
    const auto network = train_on(boosting::make_sample("binary", 50), config, "logistic").network;
    const network::PlainShape& shape = network.shape;
    ASSERT_EQ(shape.widths(), (std::vector<std::size_t>{6, 40, 30, 1}));
    for (std::size_t l = 0; l < shape.layers(); ++l) {
      const double gain = name == std::string("logistic") ? 2.0 : 6.0;
      const double bound = std::sqrt(gain / static_cast<double>(shape.inputs(l) + shape.outputs(l)));
      double squares = 0.0, most = 0.0;
      const std::size_t first = shape.weights_at(l), last = shape.bias_at(l) + shape.outputs(l);
      for (std::size_t i = first; i < last; ++i) {
        most = std::max<double>(most, std::abs(network.parameters[i]));
        squares += network.parameters[i] * network.parameters[i];
      }
      EXPECT_LE(most, bound * 1.000001) << name << " layer " << l;
      EXPECT_NEAR(squares / static_cast<double>(last - first), bound * bound / 3, 0.25 * bound * bound) << name;
    }
  }
}

/// sgd without momentum and with one mini-batch is gradient descent on all rows.
TEST(PlainTraining, TakesTheSgdStepsOfTheReference) {
  const ObjectiveCase c = make_case({5, 6, 1}, "tanh", "logistic", 120);
  core::Workers workers(1);
  ResolvedConfig config;
  config.hidden = {6};
  config.activation = "tanh";
  config.solver = "sgd";
  config.momentum = 0.0;
  config.solver_rate = 0.2;
  config.batch_size = 1000;
  config.alpha = 0.3;
  const backend::TrainingProblem problem{c.data, 1, c.loss, c.activation, workers};
  const auto after = [&](std::uint64_t epochs) {
    config.max_iter = epochs;
    return train({config, problem, {6}}).network.parameters;
  };
  std::vector<std::size_t> rows(120);
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = r;
  const auto before = after(3), next = after(4);
  std::vector<double> gradient;
  reference(c, std::vector<double>(before.begin(), before.end()), rows, gradient);
  for (std::size_t i = 0; i < gradient.size(); ++i)
    EXPECT_NEAR(next[i], before[i] - 0.2 * gradient[i], 1e-5) << "parameter " << i;
}

TEST(PlainTraining, AveragesAnEpochOverRowsIfTheLastBatchIsShorter) {
  const auto sample = boosting::make_sample("number", 250);
  ResolvedConfig config;
  config.hidden = {5};
  config.solver = "sgd";
  config.solver_rate = std::numeric_limits<double>::min();
  config.max_iter = 1;
  config.alpha = 0.0;
  const auto whole = [&](std::uint64_t batch) {
    config.batch_size = batch;
    return train_on(sample, config, "squared").losses.front();
  };
  EXPECT_NEAR(whole(200), whole(250), 1e-6 * whole(250));
  EXPECT_NEAR(whole(1), whole(250), 1e-6 * whole(250));
}

TEST(PlainTraining, StopsByTheRulesOfScikitLearn) {
  const auto sample = boosting::make_sample("binary", 300);
  ResolvedConfig config;
  config.hidden = {10};
  config.tolerance = 0.5;  // no epoch improves by this much
  EXPECT_EQ(train_on(sample, config, "logistic").losses.size(), 12u) << "the first epoch and eleven without progress";
  config.solver = "sgd";
  config.schedule = "adaptive";
  EXPECT_EQ(train_on(sample, config, "logistic").losses.size(), 1u + 6 * 11)
      << "1e-3 falls under 1e-6 after five divisions by 5";
  config.solver = "lbfgs";
  const auto flat = train_on(sample, config, "logistic");
  EXPECT_EQ(flat.reason, solver::Reason::flat);
  config.max_iter = 3;
  config.tolerance = 0.0;
  EXPECT_EQ(train_on(sample, config, "logistic").losses.size(), 3u);
}

/// With too long steps the loss oscillates, and more than ten consecutive epochs are above the best one.
TEST(PlainTraining, RunsAllEpochsWithoutATolerance) {
  const auto sample = boosting::make_sample("binary", 300);
  for (const char* solver : {"adam", "sgd"}) {
    ResolvedConfig config;
    config.hidden = {10};
    config.solver = solver;
    config.solver_rate = 0.5;
    config.tolerance = 1e-300;
    EXPECT_LT(train_on(sample, config, "logistic").losses.size(), 200u) << solver;
    config.tolerance = 0.0;
    EXPECT_EQ(train_on(sample, config, "logistic").losses.size(), 200u) << solver;
  }
}

TEST(PlainTraining, StopsWhenTheObserverAsks) {
  std::size_t seen = 0;
  const auto result = train_on(boosting::make_sample("binary", 300), {}, "logistic", 1, [&](std::size_t done, double) {
    seen = done;
    return done < 4;
  });
  EXPECT_EQ(seen, 4u);
  EXPECT_EQ(result.losses.size(), 4u);
  EXPECT_EQ(result.reason, solver::Reason::running);
  EXPECT_EQ(result.network.parameters.size(), result.network.shape.size());
}

}  // namespace
}  // namespace accrete::baseline::train_test
