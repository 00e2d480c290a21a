#include "accrete/config/used_parameters.hpp"

#include <gtest/gtest.h>

#include "accrete/boosting/check_options.hpp"
#include "accrete/config/parameters.hpp"
#include "accrete/config/preset.hpp"
#include "accrete/core/error.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::config::used_parameters_test {
namespace {

using data::Task;

std::string refusal(const Config& given, Task task = Task::regression) {
  return thrown_message<core::UsageError>([&] { configure("default", task, given); });
}

TEST(UsedParameters, AQuantileOrADeltaImpliesItsLoss) {
  EXPECT_EQ(configure("default", Task::regression, {.quantile = 0.9}).loss, "quantile");
  EXPECT_EQ(configure("default", Task::regression, {.loss = "auto", .quantile = 0.9}).loss, "quantile");
  EXPECT_EQ(configure("default", Task::regression, {.huber_delta = 2.0}).loss, "huber");
  EXPECT_EQ(configure("default", Task::regression, {.quantile = 0.5}).loss, "quantile") << "also if it is the default";
  EXPECT_EQ(configure("default", Task::regression, {.quantile = 0.9}),
            configure("default", Task::regression, {.loss = "quantile", .quantile = 0.9}));
  EXPECT_NE(refusal({.huber_delta = 2.0, .quantile = 0.9}), "");
}

TEST(UsedParameters, RefusesAParameterWithoutEffect) {
  EXPECT_EQ(refusal({.loss = "squared", .quantile = 0.9}), "quantile 0.9 needs loss quantile, not squared");
  EXPECT_EQ(refusal({.loss = "quantile", .huber_delta = 2.0}), "huber_delta 2 needs loss huber, not quantile");
  EXPECT_EQ(refusal({.quantile = 0.9}, Task::binary), "quantile 0.9 needs loss quantile, not logistic");
  EXPECT_EQ(refusal({.batch_size = 10}), "batch_size 10 needs solver adam or sgd, not lbfgs");
  EXPECT_EQ(refusal({.solver_rate = 0.1}), "solver_rate 0.1 needs solver adam or sgd, not lbfgs");
  EXPECT_EQ(refusal({.solver = "adam", .momentum = 0.5}), "momentum 0.5 needs solver sgd, not adam");
  EXPECT_EQ(refusal({.calibration_fraction = 0.3}), "calibration_fraction 0.3 needs interval");
  EXPECT_EQ(refusal({.quantile = 0.9, .quantiles = {{0.1, 0.9}}}),
            "quantile 0.9 cannot be used with quantiles, which predicts several quantiles; leave it out");
  EXPECT_EQ(refusal({.quantile = 0.9, .interval = 0.8}),
            "quantile 0.9 cannot be used with interval, which predicts several quantiles; leave it out");
}

TEST(UsedParameters, AcceptsThemWhereTheyHaveAnEffect) {
  for (const Config& given : {Config{.solver = "adam", .batch_size = 10, .solver_rate = 0.1},
                              Config{.solver = "sgd", .batch_size = 10, .solver_rate = 0.1, .momentum = 0.5},
                              Config{.interval = 0.8, .calibration_fraction = 0.3}})
    for (const Task task : {Task::regression, Task::binary}) EXPECT_NO_THROW(configure("default", task, given));
}

TEST(UsedParameters, AcceptsDefaultsThatAModelFileGives) {
  for (const Task task : {Task::regression, Task::binary, Task::multiclass})
    for (const char* preset : {"default", "paper"}) {
      const ResolvedConfig config = configure(preset, task);
      EXPECT_EQ(configure(preset, task, parse_settings(settings_of(config))).loss, config.loss);
    }
}

TEST(UsedParameters, ImplyARegressionBeforeTheRowsAreRead) {
  const auto check = [](const Config& given) {
    boosting::FitOptions options;
    options.config = given;
    boosting::check_options(options);
  };
  EXPECT_NO_THROW(check({.quantile = 0.9}));
  EXPECT_NO_THROW(check({.quantile = 0.9, .metric = "rmse"}));
  EXPECT_THROW(check({.quantile = 0.9, .metric = "accuracy"}), core::UsageError);
  EXPECT_EQ(thrown_message<core::UsageError>([&] { check({.loss = "squared", .quantile = 0.9}); }),
            "quantile 0.9 needs loss quantile, not squared");
}

}  // namespace
}  // namespace accrete::config::used_parameters_test
