// The public API: what it promises, and one-line errors for misuse.

#include "accrete/accrete.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "accrete/core/random.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::accrete_test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

struct Rings {
  std::vector<float> x;
  std::vector<std::string> labels;
  std::vector<double> values;

  explicit Rings(std::size_t rows, std::uint64_t seed = 1) {
    core::Rng rng(seed, 0, core::Purpose::generator);
    for (std::size_t r = 0; r < rows; ++r) {
      const double a = rng.normal(), b = rng.normal();
      x.insert(x.end(), {float(a), float(b)});
      labels.push_back(a * a + b * b < 1.4 ? "in" : "out");
      values.push_back(std::sin(a) + b * b);
    }
  }
  Samples classes() const { return {.features = x, .columns = 2, .labels = labels}; }
  Samples numbers() const { return {.features = x, .columns = 2, .targets = values}; }
};

const Config small{.units = 40, .feature_fraction = 1.0, .automatic = false};

/// The message of the error that the call throws, which must be one line.
template <class E, class F>
std::string refusal(F&& call) {
  const std::string message = thrown_message<E>(call);
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  return message;
}

TEST(Accrete, TrainsPredictsCutsSavesAndLoads) {
  const Rings rings(300);
  const Model model = train(rings.classes(), small);
  EXPECT_EQ(model.classes, (std::vector<std::string>{"in", "out"}));
  const auto labels = predict_labels(model, rings.x);
  std::size_t right = 0;
  for (std::size_t r = 0; r < labels.size(); ++r) right += labels[r] == rings.labels[r];
  EXPECT_GT(right, 290u);

  const auto path = std::filesystem::temp_directory_path() / ("door" + std::to_string(::getpid()) + ".safetensors");
  const Model cut = prefix(model, 20);
  EXPECT_EQ(cut.network.units(), 20u);
  save(cut, path.string());
  const Model loaded = load(path.string());
  std::filesystem::remove(path);
  const auto whole = predict(model, rings.x, {.units = 20}), part = predict(loaded, rings.x);
  for (std::size_t i = 0; i < whole.flat().size(); ++i) EXPECT_EQ(whole.flat()[i], part.flat()[i]);
}

TEST(Accrete, ContributionsAddUpToTheLogOdds) {
  const Rings rings(200);
  const Model model = train(rings.classes(), small);
  const Contributions all = contributions(model, rings.x, {.units = 20});
  const auto p = predict(model, rings.x, {.units = 20});
  ASSERT_EQ(all.rows, p.rows());
  for (std::size_t r = 0; r < all.rows; ++r) EXPECT_NEAR(1.0 / (1.0 + std::exp(-all.score(r, 0))), p(r, 1), 1e-5);
}

TEST(Accrete, CallsTheObserverAfterEachStepAndStops) {
  const Rings rings(200);
  std::vector<double> seen;
  const Model model = train(rings.numbers(), small, {}, [&](const Progress& progress) {
    EXPECT_EQ(progress.steps, 10u);
    EXPECT_EQ(progress.units, 4 * progress.step);
    seen.push_back(progress.train_loss);
    return progress.step < 5;
  });
  EXPECT_EQ(model.network.units(), 20u);
  ASSERT_EQ(seen.size(), 5u);
  for (std::size_t i = 1; i < seen.size(); ++i) EXPECT_LT(seen[i], seen[i - 1]);
}

TEST(Accrete, GrowsToTheBitsOfASingleFit) {
  const Rings rings(300);
  Config more = small;
  more.units = 80;
  const Model at_once = train(rings.classes(), more);
  const Model grown = grow(train(rings.classes(), small), rings.classes(), 80);
  EXPECT_EQ(io::serialise(at_once), io::serialise(grown));
}

TEST(Accrete, RefusesSpansOfDifferentSizes) {
  const Rings rings(10);
  Samples s = rings.classes();
  s.columns = 3;
  EXPECT_EQ(refusal<UsageError>([&] { train(s); }), "20 features are not whole rows of 3 columns");
  s = rings.classes();
  s.labels = s.labels.first(9);
  EXPECT_EQ(refusal<UsageError>([&] { train(s); }), "9 labels for 10 rows");
  s = rings.classes();
  s.targets = rings.values;
  EXPECT_EQ(refusal<UsageError>([&] { train(s); }), "samples need either labels or targets");
  const Model model = train(rings.classes(), small);
  EXPECT_EQ(refusal<UsageError>([&] { predict(model, std::vector<float>(3)); }),
            "3 features are not whole rows of the model's 2 inputs");
}

TEST(Accrete, PredictsAConstantTargetExactly) {
  const Rings rings(10);
  const std::vector<double> constant(10, 0.1);
  const Model model = train({.features = rings.x, .columns = 2, .targets = constant});
  for (std::size_t r = 0; r < 10; ++r) EXPECT_EQ(predict(model, rings.x)(r, 0), 0.1);
}

TEST(Accrete, RefusesDataItCannotLearnFrom) {
  Rings rings(10);
  const std::vector<std::string> one(10, "a");
  EXPECT_NE(refusal<DataError>([&] { train({.features = rings.x, .columns = 2, .labels = one}); }).find("target"),
            std::string::npos);
  refusal<DataError>([&] {
    train({.features = std::span(rings.x).first(2), .columns = 2, .labels = std::span(rings.labels).first(1)});
  });
  auto values = rings.values;
  values[3] = std::nan("");
  EXPECT_NE(refusal<DataError>([&] { train({.features = rings.x, .columns = 2, .targets = values}); }).find("row 4"),
            std::string::npos);
  values[3] = HUGE_VAL;
  EXPECT_NE(refusal<DataError>([&] { train({.features = rings.x, .columns = 2, .targets = values}); }).find("row 4"),
            std::string::npos);
  rings.x[5] = infinity;
  EXPECT_EQ(refusal<DataError>([&] { train(rings.classes()); }),
            "data: row 3 (counting from 1), column 'x1': the value is infinite");
}

TEST(Accrete, LearnsFromMissingValues) {
  Rings rings(200);
  for (std::size_t i = 0; i < rings.x.size(); i += 7) rings.x[i] = std::nanf("");
  const Model model = train(rings.classes(), small);
  EXPECT_EQ(model.encoder.features(), 4u);
  const auto p = predict(model, rings.x);
  for (double q : p.flat()) EXPECT_TRUE(std::isfinite(q));
}

TEST(Accrete, RefusesParametersOutOfRangeWithTheirRule) {
  const Rings rings(20);
  const auto refuse = [&](const Config& config) {
    return refusal<UsageError>([&] { train(rings.classes(), config); });
  };
  EXPECT_EQ(refuse({.units = 0}), "units 0: must be a whole number, at least 1, at most 1000000000");
  EXPECT_EQ(refuse({.units_per_step = 900}), "units_per_step 900 exceeds units 800");
  for (const double rate : {0.0, -1.0, 1.5, std::nan("")})
    EXPECT_EQ(refuse({.learning_rate = rate}), fmt::format("learning_rate {}: must be above 0, at most 1", rate));
  EXPECT_EQ(refuse({.subsample = 0.01}), "subsample 0.01: leaves none of the 20 rows; use a larger share");
  EXPECT_NE(refuse({.loss = "squared"}).find("loss squared is not for a binary task; allowed: logistic"),
            std::string::npos);
  EXPECT_EQ(refusal<UsageError>([&] { train(rings.classes(), {}, {.preset = "good"}); }),
            "preset good: must be one of default, fast, best, paper");
}

TEST(Accrete, RefusesUnitsBeyondTheModel) {
  const Rings rings(50);
  const Model model = train(rings.classes(), small);
  EXPECT_EQ(refusal<UsageError>([&] { predict(model, rings.x, {.units = 41}); }),
            "41 units requested; the model has 40");
  EXPECT_EQ(refusal<UsageError>([&] { prefix(model, 3); }),
            "3 units requested; the model's first step already has 4; use 4, 8, 12, ... 40");
  EXPECT_EQ(prefix(model, 7).network.units(), 4u);
}

TEST(Accrete, WorksForOddShapes) {
  core::Rng rng(3, 0, core::Purpose::generator);
  auto run = [&](std::size_t rows, std::size_t columns, auto value) {
    std::vector<float> x;
    std::vector<double> y;
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) x.push_back(value(r, c));
      y.push_back(x[r * columns] + 0.1 * rng.normal());
    }
    for (const char* preset : {"default", "paper"}) {
      const Model model = train({.features = x, .columns = columns, .targets = y}, {.units = 8}, {.preset = preset});
      const auto p = predict(model, x);
      for (double value : p.flat()) ASSERT_TRUE(std::isfinite(value));
    }
  };
  run(50, 1, [&](auto, auto) { return float(rng.normal()); });                    // one feature
  run(20, 500, [&](auto, auto) { return float(rng.normal()); });                  // rows < features
  run(50, 3, [&](auto, auto c) { return c == 1 ? 7.0f : float(rng.normal()); });  // a constant feature
  run(60, 2, [&](auto r, auto c) { return float(r % 5 + c); });                   // duplicate rows
  run(2, 2, [&](auto r, auto c) { return float(r + c); });                        // the fewest rows allowed
}

}  // namespace
}  // namespace accrete::accrete_test
