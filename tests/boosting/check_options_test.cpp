// What a fit refuses before it sees a row.

#include "accrete/boosting/check_options.hpp"

#include <gtest/gtest.h>

#include "accrete/core/error.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::boosting::check_options_test {
namespace {

std::string refusal(const FitOptions& options) {
  return thrown_message<core::UsageError>([&] { check_options(options); });
}

FitOptions with(config::Config config, std::optional<data::Task> task = {}) {
  FitOptions options;
  options.config = std::move(config);
  options.task = task;
  return options;
}

TEST(CheckOptions, AcceptsWhatSomeTaskAllows) {
  EXPECT_NO_THROW(check_options(with({})));
  EXPECT_NO_THROW(check_options(with({.metric = "auc"})));
  EXPECT_NO_THROW(check_options(with({.metric = "rmse"})));
  EXPECT_NO_THROW(check_options(with({.loss = "poisson", .metric = "mae"})));
  EXPECT_NO_THROW(check_options(
      with({.monotone = config::Monotone{{"a", true}}, .class_weight = config::ClassWeights{.balanced = true}})));
  EXPECT_NO_THROW(check_options(with({.quantiles = {{0.1, 0.9}}})));
}

TEST(CheckOptions, RefusesWhatNoTaskAllows) {
  EXPECT_EQ(refusal(with({.units = 2, .units_per_step = 4})), "units_per_step 4 exceeds units 2");
  EXPECT_EQ(refusal(with({.loss = "poisson", .metric = "auc"})),
            "metric auc is not for a regression task; allowed: loss, rmse, mae, r2, mape, pinball");
  EXPECT_EQ(refusal(with({.loss = "squared", .class_weight = config::ClassWeights{.balanced = true}})),
            "class_weight needs classes, but this is a regression task; leave it out");
  EXPECT_EQ(refusal(with({.metric = "auc"}, data::Task::regression)),
            "metric auc is not for a regression task; allowed: loss, rmse, mae, r2, mape, pinball");
  EXPECT_EQ(refusal(with({.loss = "softmax", .monotone = config::Monotone{{"a", true}}})),
            "monotone a:+: supports regression and two classes, but the target has more classes");
  EXPECT_NE(refusal(with({.loss = "custom"})).find("needs the loss function"), std::string::npos);
  FitOptions options = with({.interval = 0.9});
  options.offset_column = "z";
  EXPECT_EQ(refusal(options), "interval cannot be used with offset_column");
  options = with({});
  options.preset = "fats";
  EXPECT_NE(refusal(options).find("did you mean 'fast'?"), std::string::npos);
}

TEST(CheckOptions, RefusesConstraintsOnUnknownColumns) {
  const std::vector<std::string> columns{"area", "sold"};
  const auto message = [&](const config::Config& config) {
    return thrown_message<core::UsageError>([&] { check_constrained_columns(config, columns); });
  };
  const config::Config known{.monotone = config::Monotone{{"area", true}, {"sold year", false}}};
  EXPECT_NO_THROW(check_constrained_columns(known, columns));
  EXPECT_EQ(message({.monotone = config::Monotone{{"arae", true}}}),
            "monotone names the column 'arae', which the model does not read; did you mean 'area'?");
  EXPECT_EQ(message({.interactions = config::Interactions{.groups = {{"area"}, {"price"}}}}),
            "interactions names the column 'price', which the model does not read");
}

}  // namespace
}  // namespace accrete::boosting::check_options_test
