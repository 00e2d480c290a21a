// Monotone constraints: every prefix of every fit obeys them.

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "accrete/config/parameters.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/model_file.hpp"
#include "tests/boosting/constrained_table.hpp"
#include "tests/thrown_message.hpp"
#include "tests/tune/cpu_device.hpp"

namespace accrete::boosting::monotone_test {
namespace {

const config::Monotone both{{"a", true}, {"b", false}};

/// Output weights of a unit have one sign, and so have its weights of the features of a column, as the sign and the
/// column's direction say. Gap flags are free.
void expect_signs(const model::Model& model) {
  const network::Network& network = model.network;
  const std::size_t features = network.features(), outputs = network.outputs();
  std::size_t used = 0;
  for (std::size_t j = 0; j < network.units(); ++j) {
    const float* v = network.output_weights().data() + j * outputs;
    const float sign = *std::max_element(v, v + outputs) > 0.0f ? 1.0f : -1.0f;
    for (std::size_t k = 0; k < outputs; ++k) ASSERT_GE(sign * v[k], 0.0f) << "unit " << j;
    if (std::all_of(v, v + outputs, [](float x) { return x == 0.0f; })) continue;
    for (std::size_t c = 0; c < 2; ++c)
      for (const data::FeatureGroup& group : model.encoder.columns()[c].groups())
        for (std::size_t f = group.first; f < group.first + group.count; ++f) {
          if (std::holds_alternative<data::GapFlag>(group.encoding)) continue;
          const float w = network.hidden_weights()[j * features + f] * (c == 0 ? 1.0f : -1.0f);
          ASSERT_GE(sign * w, 0.0f) << "unit " << j << ", feature " << f;
          used += w != 0.0f;
        }
  }
  EXPECT_GT(used, 0u) << "the constrained columns are used";
}

/// Ascending: random values, runs of neighbouring floats at random places and at the boundaries of the column's bins,
/// and values far outside.
std::vector<float> values_to_sweep(const data::Input& input) {
  std::vector<float> starts(input.knots.begin(), input.knots.end()), values{-1e30f, -1e6f, 0.0f, 1e6f, 1e30f};
  core::Rng rng(5, 0, core::Purpose::generator);
  for (int i = 0; i < 20; ++i) starts.push_back(static_cast<float>(2.0 * rng.normal()));
  for (int i = 0; i < 200; ++i) values.push_back(static_cast<float>(3.0 * rng.normal()));
  for (float x : starts) {
    for (int i = 0; i < 3; ++i) x = std::nextafter(x, -INFINITY);
    for (int i = 0; i < 6; ++i, x = std::nextafter(x, INFINITY)) values.push_back(x);
  }
  std::ranges::sort(values);
  return values;
}

/// Sweeps of both columns, 10^6 pairs of rows and more: scores of every prefix and predictions of batches and single
/// rows obey without exception.
void expect_monotone(const model::Model& model, const data::Table& table) {
  constexpr std::size_t rows = 30;
  core::Workers workers(1);
  const std::size_t first = model.classes.empty() ? 0 : 1;  // the probability of the second class
  for (std::size_t c = 0; c < 2; ++c) {
    const double sign = c == 0 ? 1.0 : -1.0;
    const auto values = values_to_sweep(model.encoder.inputs()[c]);
    const data::Table sweep = swept(table, c == 0 ? "a" : "b", rows, values);
    for (const auto& scores : prefix_scores(model, sweep))
      for (std::size_t k = 0; k < scores.cols(); ++k) ASSERT_EQ(largest_violation(scores, k, sign, values.size()), 0.0);
    for (std::size_t steps = 1; steps <= model.network.steps(); ++steps) {
      const auto predictions = model::predict(model, sweep, steps, workers);
      for (std::size_t k = first; k < predictions.cols(); ++k)
        ASSERT_EQ(largest_violation(predictions, k, sign, values.size()), 0.0) << steps;
    }
    model::predict_staged(model, sweep, workers, [&](std::size_t, core::MatrixView<const double> predictions) {
      for (std::size_t k = first; k < predictions.cols; ++k)
        ASSERT_EQ(largest_violation(predictions, k, sign, values.size()), 0.0);
    });
  }
}

class MonotoneActivations : public testing::TestWithParam<const char*> {};

TEST_P(MonotoneActivations, HoldAtEveryPrefixOfEveryLoss) {
  struct Case {
    const char *kind, *loss;
    std::uint64_t bins;
  };
  for (const Case& c : {Case{"number", "squared", 0}, Case{"number", "squared", 8}, Case{"number", "huber", 64},
                        Case{"number", "quantile", 8}, Case{"count", "poisson", 0}, Case{"binary", "logistic", 64},
                        Case{"binary", "logistic", 8}, Case{"pair", "squared", 8}}) {
    SCOPED_TRACE(std::string(c.kind) + " " + c.loss + " " + std::to_string(c.bins));
    const data::Table table = constrained_table(c.kind, 200);
    const auto options = constrained_options(c.kind, {.units = 12,
                                                      .learning_rate = 0.5,
                                                      .activation = GetParam(),
                                                      .bins = c.bins,
                                                      .loss = c.loss,
                                                      .alpha = 0.01,
                                                      .max_iter = 30,
                                                      .monotone = both,
                                                      .automatic = false});
    const auto result = fit(table, options);
    expect_signs(result.model);
    expect_monotone(result.model, table);
    expect_monotone(io::parse_model(io::serialise(result.model), "a copy"), table);
    EXPECT_LT(result.model.provenance.train_loss.back(), 0.97 * result.model.provenance.train_loss.front());
  }
}

INSTANTIATE_TEST_SUITE_P(Monotone, MonotoneActivations, testing::Values("relu", "tanh", "logistic"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Monotone, HoldsForEveryPresetWithItsAutomaticChoice) {
  for (const char* preset : {"default", "fast", "paper"})
    for (const char* kind : {"number", "binary"}) {
      SCOPED_TRACE(std::string(preset) + " " + kind);
      const data::Table table = constrained_table(kind, 80);
      config::Config config{.max_iter = 10, .monotone = both};
      if (std::string_view(preset) == "paper") config.units = 10;
      const auto result = fit(table, constrained_options(kind, config, preset));
      EXPECT_NE(result.config.objective, "projected");
      if (result.model.network.units() > 0) expect_signs(result.model);
      for (const auto& fold : result.model.provenance.choice.trials) EXPECT_TRUE(std::isfinite(fold.loss));
    }
}

TEST(Monotone, HoldsForNewtonStepsOfTheResidualObjective) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const data::Table table = constrained_table("binary", 60, seed);
    const auto result = fit(table, constrained_options("binary", {.units = 20,
                                                                  .units_per_step = 1,
                                                                  .learning_rate = 1.0,
                                                                  .objective = "residual",
                                                                  .max_iter = 2,
                                                                  .monotone = both,
                                                                  .automatic = false,
                                                                  .seed = seed}));
    expect_signs(result.model);
  }
}

TEST(Monotone, LosesLittleWhereTheDataAgree) {
  // y rises with a and falls with b, so that the constraints cost nothing but the solver's path.
  data::Table table = constrained_table("number", 400);
  for (std::size_t r = 0; r < 400; ++r) {
    for (std::size_t c = 0; c < 2; ++c)
      if (std::isnan(table.columns[c].numbers[r])) table.columns[c].numbers[r] = 0.0f;
    const float a = table.columns[0].numbers[r], b = table.columns[1].numbers[r], c = table.columns[2].numbers[r];
    table.columns[5].numbers[r] = std::tanh(2.0f * a) - std::exp(0.5f * b) + c * c;
  }
  const config::Config config{
      .units = 60, .learning_rate = 0.5, .objective = "residual", .alpha = 0.001, .automatic = false};
  const double free = fit(table, constrained_options("number", config)).model.provenance.train_loss.back();
  config::Config bounded = config;
  bounded.monotone = both;
  const auto result = fit(table, constrained_options("number", bounded));
  EXPECT_LT(result.model.provenance.train_loss.back(), 3.0 * free);
  EXPECT_LT(result.model.provenance.train_loss.back(), 0.02 * result.model.provenance.train_loss.front());
}

TEST(Monotone, GrowsAndResumesToTheSameBits) {
  const data::Table table = constrained_table("number", 120);
  config::Config config{.units = 16, .monotone = both, .automatic = false};
  const auto whole = fit(table, constrained_options("number", config)).model;
  config.units = 8;
  const auto half = fit(table, constrained_options("number", config)).model;
  const auto grown = grow(half, table, {.config = {.units = 16}}).model;
  EXPECT_TRUE(std::ranges::equal(grown.network.hidden_weights(), whole.network.hidden_weights()));
  EXPECT_EQ(grown.provenance.parameters, whole.provenance.parameters);
  std::optional<model::Model> checkpoint;
  FitOptions options = constrained_options("number", {.units = 16, .monotone = both, .automatic = false});
  fit(table, options, [&](const Progress& progress) {
    checkpoint = progress.snapshot();
    return progress.step < 2;
  });
  options.resume = &*checkpoint;
  EXPECT_TRUE(std::ranges::equal(fit(table, options).model.network.hidden_weights(), whole.network.hidden_weights()));
  EXPECT_NE(thrown_message<core::UsageError>([&] {
              grow(half, table, {.config = {.units = 16, .monotone = config::Monotone{{"a", true}}}});
            }).find("the model was made with monotone a:+,b:-, which cannot change"),
            std::string::npos);
}

TEST(Monotone, RefusesWhatItCannotDo) {
  const auto attempt = [](const std::string& kind, const config::Config& config) {
    return thrown_message<core::UsageError>(
        [&] { fit(constrained_table(kind, 60), constrained_options(kind, config)); });
  };
  EXPECT_EQ(attempt("three", {.monotone = both}),
            "monotone a:+,b:-: supports regression and two classes, but the target has more classes");
  EXPECT_EQ(attempt("number", {.objective = "projected", .monotone = both}),
            "monotone a:+,b:-: cannot be used with objective projected; use residual or direct");
  EXPECT_EQ(attempt("number", {.solver = "adam", .monotone = both}), "monotone a:+,b:-: needs solver lbfgs, not adam");
  EXPECT_EQ(attempt("number", {.monotone = config::Monotone{{"a", true}, {"a", false}}}),
            "monotone a:+,a:-: names the column 'a' twice");
  EXPECT_EQ(attempt("number", {.monotone = config::Monotone{{"colour", true}}}),
            "monotone names the column 'colour', which is a category; it must be a number");
  EXPECT_EQ(attempt("number", {.monotone = config::Monotone{{"color", true}}}),
            "monotone names the column 'color', which the model does not read; did you mean 'colour'?");
  EXPECT_EQ(attempt("number", {.monotone = config::Monotone{{"y", true}}}),
            "monotone names the column 'y', which the model does not read");
}

TEST(Monotone, RefusesDates) {
  data::Table table = constrained_table("number", 60);
  table.columns[2].format = {.order = data::DateOrder::ymd, .column = "when"};
  for (const char* name : {"c", "when"}) {
    const config::Config config{.monotone = config::Monotone{{name, true}}};
    EXPECT_EQ(thrown_message<core::UsageError>([&] { fit(table, constrained_options("number", config)); }),
              "monotone names the column '" + std::string(name) + "', which is a date; it must be a number");
  }
}

TEST(Monotone, RunsOnTheCpuOnly) {
  tune::CpuDevice device;
  FitOptions options = constrained_options("number", {.monotone = both, .automatic = false});
  options.device = &device;
  const data::Table table = constrained_table("number", 60);
  EXPECT_EQ(thrown_message<core::UsageError>([&] { fit(table, options); }),
            "device toy: monotone and interaction constraints run on the CPU only; use device cpu");
}

}  // namespace
}  // namespace accrete::boosting::monotone_test
