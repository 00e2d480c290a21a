// Losses and metrics that the program passes.

#include "accrete/loss/custom.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/accrete.hpp"
#include "accrete/backend/custom_loss_rows.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "accrete/io/model_file.hpp"
#include "tests/backend/random_rows.hpp"

namespace accrete::boosting::custom_loss_test {
namespace {

struct Counts {
  double value(double y, double f) const { return std::exp(f) - y * f; }
  double derivative(double y, double f) const { return std::exp(f) - y; }
  double curvature(double, double f) const { return std::exp(f); }
};

struct Cauchy {
  double value(double y, double f) const { return std::log1p((y - f) * (y - f)); }
  double derivative(double y, double f) const { return 2 * (f - y) / (1 + (y - f) * (y - f)); }
  double curvature(double y, double f) const { return 2 / (1 + (y - f) * (y - f)); }
};

struct WrongSign : Cauchy {
  double derivative(double y, double f) const { return -Cauchy::derivative(y, f); }
};

/// Right at 0 only.
struct TwiceTooSteep {
  double value(double, double f) const { return 0.5 * f * f; }
  double derivative(double, double f) const { return 2 * f; }
  double curvature(double, double) const { return 2; }
};

/// A Newton step goes a hundred times too far.
struct NearlyFlat {
  double value(double y, double f) const { return 0.5 * (f - y) * (f - y); }
  double derivative(double y, double f) const { return f - y; }
  double curvature(double, double) const { return 0.01; }
};

struct Infinite : Cauchy {
  double curvature(double, double) const { return INFINITY; }
};

/// Three numbers and a count.
data::Table make_counts(std::size_t rows, std::uint64_t seed = 3) {
  data::Table table{.source = "made up", .columns = {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "y"}}};
  core::Rng rng(seed, 0, core::Purpose::generator);
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = rng.normal(), b = rng.normal(), c = rng.normal();
    const double mean = std::exp(0.5 + 0.6 * std::sin(a) + 0.4 * b);
    double count = 0.0, term = std::exp(-mean), left = term;
    for (const double p = rng.uniform(0.0, 1.0); p > left && count < 50.0; left += term) term *= mean / ++count;
    table.columns[0].numbers.push_back(static_cast<float>(a));
    table.columns[1].numbers.push_back(static_cast<float>(b));
    table.columns[2].numbers.push_back(static_cast<float>(c));
    table.columns[3].numbers.push_back(static_cast<float>(count));
  }
  return table;
}

FitOptions options_for(const std::string& loss, const std::string& objective) {
  static core::Workers one(1);
  FitOptions options;
  options.task = data::Task::regression;
  options.config = {
      .units = 24, .units_per_step = 4, .learning_rate = 0.3, .loss = loss, .objective = objective, .automatic = false};
  options.workers = &one;
  if (loss == "custom") options.custom_loss = loss::make_custom(Counts{});
  return options;
}

core::Matrix<double> predict(const model::Model& model, const data::Table& table) {
  core::Workers one(1);
  return model::predict(model, table, model.network.steps(), one);
}

TEST(CustomLoss, EqualsTheSameLossOfTheLibrary) {
  const data::Table table = make_counts(600);
  core::Workers one(1);
  for (const char* objective : {"residual", "projected", "direct"}) {
    // Long descents end in other minima, because rows are in another order and sums are rounded differently.
    FitOptions short_descent = options_for("poisson", objective), with_function = options_for("custom", objective);
    short_descent.config.max_iter = with_function.config.max_iter = 4;
    const auto expected = model::predict(fit(table, short_descent).model, table, 1, one),
               scores = model::predict(fit(table, with_function).model, table, 1, one);
    for (std::size_t r = 0; r < table.rows(); ++r)
      ASSERT_NEAR(scores(r, 0), std::log(expected(r, 0)), 1e-4) << objective << " row " << r;
    const auto listed = fit(table, options_for("poisson", objective)).model;
    const auto custom = fit(table, options_for("custom", objective)).model;
    const auto& loss = custom.provenance.train_loss;
    EXPECT_NEAR(loss.front(), listed.provenance.train_loss.front(), 1e-6);
    EXPECT_NEAR(loss.back(), listed.provenance.train_loss.back(), 0.05 * (loss.front() - loss.back()));
  }
}

TEST(CustomLoss, BackendsAgree) {
  const data::Table table = make_counts(200);
  FitOptions options = options_for("custom", "projected");
  options.config.units = 4;
  options.config.max_iter = 4;
  const auto fast = predict(fit(table, options).model, table);
  options.backend = "reference";
  const auto exact = predict(fit(table, options).model, table);
  for (std::size_t r = 0; r < table.rows(); ++r) ASSERT_NEAR(fast(r, 0), exact(r, 0), 1e-3) << r;
}

TEST(CustomLoss, DirectStepsMinimiseItOnDrawnRowsAndColumns) {
  const data::Table table = make_counts(600);
  core::Workers one(1);
  FitOptions listed = options_for("poisson", "direct"), custom = options_for("custom", "direct");
  for (FitOptions* options : {&listed, &custom}) {
    options->config.units = 8;
    options->config.max_iter = 4;
    options->config.subsample = 0.5;
    options->config.feature_fraction = 0.7;
    options->config.alpha = 30.0;
  }
  const auto expected = model::predict(fit(table, listed).model, table, 2, one),
             scores = model::predict(fit(table, custom).model, table, 2, one);
  for (std::size_t r = 0; r < table.rows(); ++r)
    ASSERT_NEAR(scores(r, 0), std::log(expected(r, 0)), 1e-4) << "row " << r;
}

TEST(CustomLoss, IsUsedWhenSettingsAreChosen) {
  const data::Table table = make_counts(400);
  FitOptions options = options_for("custom", "auto");
  options.config = {.loss = "custom"};
  options.custom_loss = loss::make_custom(Cauchy{});
  const auto model = fit(table, options).model;
  EXPECT_FALSE(model.provenance.choice.trials.empty());
  EXPECT_LT(model.provenance.train_loss.back(), model.provenance.train_loss.front());
}

TEST(CustomLoss, ModelLoadsAndPredictsScoresWithoutIt) {
  const data::Table table = make_counts(200);
  const auto model = fit(table, options_for("custom", "residual")).model;
  const auto loaded = io::parse_model(io::serialise(model), "memory");
  EXPECT_STREQ(loaded.loss.name(), "custom");
  EXPECT_EQ(predict(loaded, table)(7, 0), predict(model, table)(7, 0));
  FitOptions more = options_for("custom", "residual");
  more.config = {.units = 32};
  EXPECT_EQ(grow(loaded, table, more).model.network.units(), 32);
  more.custom_loss = {};
  EXPECT_THROW(grow(loaded, table, more), core::UsageError);
}

TEST(CustomLoss, GrowsToTheBitsOfOneFit) {
  const data::Table table = make_counts(200);
  FitOptions options = options_for("custom", "projected");
  const auto whole = fit(table, options).model;
  options.config.units = 12;
  const auto half = fit(table, options).model;
  FitOptions more = options_for("custom", "projected");
  more.config = {.units = 24};
  EXPECT_EQ(io::serialise(grow(half, table, more).model), io::serialise(whole));
}

TEST(CustomLoss, StartMinimisesIt) {
  core::Matrix<double> targets(3, 1);
  targets(0, 0) = 1.0, targets(1, 0) = 4.0, targets(2, 0) = 7.0;
  const std::vector<double> weights{1.0, 1.0, 2.0};
  const auto start = loss::custom_start(*loss::make_custom(Counts{}), targets, weights, 1);
  EXPECT_NEAR(start[0], std::log(19.0 / 4.0), 1e-8);
  const std::vector<double> offsets{0.0, 1.0, -1.0};
  const auto shifted = loss::custom_start(*loss::make_custom(Counts{}), targets, weights, 1, offsets);
  EXPECT_NEAR(shifted[0], std::log(19.0 / (1.0 + std::exp(1.0) + 2.0 * std::exp(-1.0))), 1e-8);
}

TEST(CustomLoss, StartHalvesStepsThatRaiseIt) {
  core::Matrix<double> targets(2, 1);
  targets(0, 0) = 2.0, targets(1, 0) = 6.0;
  const std::vector<double> weights{1.0, 3.0};
  EXPECT_NEAR(loss::custom_start(*loss::make_custom(NearlyFlat{}), targets, weights, 1)[0], 5.0, 1e-6);
}

/// The first Newton step from 0 goes to f = 908.5, where exp(f) is infinite.
TEST(CustomLoss, StartHalvesStepsToAnInfiniteLoss) {
  core::Matrix<double> targets(20, 1);
  for (std::size_t r = 0; r < 20; ++r) targets(r, 0) = 900.0 + static_cast<double>(r);
  const std::vector<double> weights(20, 1.0);
  const auto start = loss::custom_start(*loss::make_custom(Counts{}), targets, weights, 1);
  EXPECT_NEAR(start[0], std::log(909.5), 1e-6);
}

/// A custom loss of twenty rows of two features, and a block of one unit whose output bias alone makes exp(f) infinite.
struct TooLargeBlock {
  data::Dataset data = backend::random_dataset({.rows = 20, .features = 2}, false);
  core::Workers one{1};
  backend::TrainingProblem problem{.dataset = data,
                                   .outputs = 1,
                                   .loss = loss::Loss::named("custom"),
                                   .activation = activation::Activation::named("logistic"),
                                   .workers = one};
  std::unique_ptr<backend::TrainingRows> rows =
      backend::make_custom_loss_rows(problem, loss::make_custom(Counts{}), backend::make_reference_rows(problem));
  backend::BlockShape shape{.features = 2, .units = 1, .outputs = 1};
  std::vector<double> parameters = std::vector<double>(shape.size(), 0.0);

  TooLargeBlock() {
    rows->reset_scores(std::vector{0.0});
    parameters.back() = 1000.0;
  }
};

TEST(CustomLoss, IsInfiniteAfterABlockThatIsTooLarge) {
  TooLargeBlock c;
  const double before = c.rows->mean_loss();
  const auto block = backend::make_block(c.shape, {0, 1}, c.parameters, std::vector{1.0});
  EXPECT_EQ(c.rows->mean_loss_after(block), INFINITY);
  EXPECT_EQ(c.rows->mean_loss(), before);
  EXPECT_THROW(c.rows->add_block(block, block.output_bias), core::DataError);
}

TEST(CustomLoss, HasTheGradientZeroWhereItIsInfinite) {
  TooLargeBlock c;
  const std::vector<std::size_t> features{0, 1};
  c.rows->set_view(
      {.rows = {}, .features = features, .units = 1, .objective = backend::StepObjective::loss, .alpha = 0.1});
  std::vector<double> gradient(c.shape.size(), NAN);
  EXPECT_EQ(c.rows->evaluate(c.parameters, gradient), INFINITY);
  EXPECT_EQ(gradient, std::vector<double>(c.shape.size(), 0.0));
  c.parameters.back() = 1.0;
  EXPECT_TRUE(std::isfinite(c.rows->evaluate(c.parameters, gradient))) << "a shorter step";
  EXPECT_NE(gradient.back(), 0.0);
}

TEST(CustomLoss, RescalesResidualsOnlyOnRequest) {
  TooLargeBlock c;
  EXPECT_GT(std::abs(c.rows->compute_residuals(true) - 1.0), 0.01);
  EXPECT_EQ(c.rows->compute_residuals(false), 1.0);
}

/// A derivative is compared where it may be wrong: at other scores than 0, and at different ones.
TEST(CustomLoss, DerivativesAreChecked) {
  core::Matrix<double> targets(20, 1);
  for (std::size_t r = 0; r < 20; ++r) targets(r, 0) = 0.3 * static_cast<double>(r);
  EXPECT_NO_THROW(loss::check_derivatives(*loss::make_custom(Cauchy{}), targets, 1));
  EXPECT_THROW(loss::check_derivatives(*loss::make_custom(WrongSign{}), targets, 1), core::DataError);
  EXPECT_THROW(loss::check_derivatives(*loss::make_custom(TwiceTooSteep{}), targets, 1), core::DataError);
}

TEST(CustomLoss, RefusesWhatCannotBe) {
  const data::Table table = make_counts(60);
  FitOptions missing = options_for("custom", "residual");
  missing.custom_loss = {};
  EXPECT_THROW(fit(table, missing), core::UsageError);
  FitOptions twice = options_for("poisson", "residual");
  twice.custom_loss = loss::make_custom(Counts{});
  EXPECT_THROW(fit(table, twice), core::UsageError);
  FitOptions infinite = options_for("custom", "residual");
  infinite.custom_loss = loss::make_custom(Infinite{});
  EXPECT_THROW(fit(table, infinite), core::DataError);
}

TEST(CustomMetric, DecidesTheLength) {
  const data::Table table = make_counts(300), validation = make_counts(200, 4);
  FitOptions options = options_for("poisson", "direct");
  options.validation = &validation;
  std::vector<double> seen;
  options.custom_metric = [&](core::MatrixView<const double> p, core::MatrixView<const double> y,
                              std::span<const double> w) {
    EXPECT_EQ(p.rows, 200);
    EXPECT_EQ(y.rows, w.size());
    seen.push_back(seen.size() == 3 ? -1.0 : 1.0);  // the fourth measurement, after three steps, is the best
    return seen.back();
  };
  const FitResult result = fit(table, options);
  EXPECT_EQ(result.model.network.steps(), 3);
  EXPECT_EQ(result.validation_metric, -1.0);
  options.custom_metric = [](auto, auto, auto) { return std::nan(""); };
  EXPECT_THROW(fit(table, options), core::DataError);
}

}  // namespace
}  // namespace accrete::boosting::custom_loss_test
