#include "accrete/tune/boosted.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>

#include "accrete/config/parameters.hpp"
#include "accrete/core/error.hpp"
#include "accrete/data/generate.hpp"

namespace accrete::tune::boosted_test {
namespace {

struct Fixture {
  explicit Fixture(const char* name, std::size_t rows = 120)
      : table(data::generator_named(name).make(rows, 3)),
        problem(read_problem(table, {}, std::nullopt)),
        split(data::holdout(rows, {}, 0.3, 1)) {}

  FitRecord fit(const Boosted& method, const Settings& settings, const std::vector<std::size_t>& units) const {
    return method.fit({problem, split, settings, units, 5}, {}).value();
  }

  data::Table table;
  Problem problem;
  data::Split split;
};

/// The whole point: no number of units is trained for on its own.
TEST(Boosted, PrefixesAreSeparateFits) {
  for (const char* name : {"ringnorm2", "friedman1", "waveform"})
    for (const char* preset : {"default", "paper"}) {
      const Fixture on(name);
      boosting::FitOptions options;
      options.preset = preset;
      const Boosted method(options, on.problem.target.task);
      const Settings settings{{"units_per_step", "3"}, {"subsample", "0.7"}, {"learning_rate", "0.3"}};
      const FitRecord shared = on.fit(method, settings, {3, 10, 24});
      ASSERT_EQ(shared.prefixes.size(), 3u);
      for (const PrefixScores& prefix : shared.prefixes) {
        const FitRecord alone = on.fit(method, settings, {prefix.units});
        EXPECT_EQ(alone.prefixes.front().metrics, prefix.metrics) << name << " " << preset << " " << prefix.units;
      }
      EXPECT_NE(shared.prefixes[0].metrics, shared.prefixes[2].metrics);
    }
}

TEST(Boosted, TheTextHasEveryParameterButTheSeed) {
  boosting::FitOptions options;
  options.config = {.seed = 5};
  const Boosted method(options, data::Task::binary);
  const std::string text = method.text({{"alpha", "0.5"}}, 40);
  const Settings options_of_models{
      {"monotone", "a:+"}, {"interactions", "a,b"}, {"interval", "0.9"}, {"calibration_fraction", "0.3"}};
  const std::string with_options = method.text(options_of_models, 40);
  for (const auto& parameter : config::parameters()) {
    const std::string name = parameter.name;
    const bool is_left_out = name == "seed" || name == "metric";  // of a validation set
    const bool is_for_numbers = name == "quantiles";              // these are classes
    EXPECT_EQ(with_options.find(" " + name + "=") == std::string::npos, is_left_out || is_for_numbers) << name;
    const bool is_option =
        std::ranges::find(options_of_models, name, &Settings::value_type::first) != options_of_models.end();
    EXPECT_EQ(text.find(" " + name + "=") == std::string::npos, is_left_out || is_for_numbers || is_option) << name;
  }
  EXPECT_NE(text.find(" alpha=0.5 "), std::string::npos);
  EXPECT_NE(text, method.text({{"alpha", "0.6"}}, 40));
  EXPECT_NE(text, method.text({{"alpha", "0.5"}}, 41));
  EXPECT_EQ(text, method.text({{"alpha", "5e-1"}}, 40)) << "one value, one text";
}

/// A grid combines every value with every other.
TEST(Boosted, DropsWhatASearchedSettingLeavesWithoutEffect) {
  const Boosted method({}, data::Task::regression);
  EXPECT_EQ(method.text({{"solver", "lbfgs"}, {"batch_size", "50"}, {"momentum", "0.5"}}, 40),
            method.text({{"solver", "lbfgs"}}, 40));
  EXPECT_NE(method.text({{"solver", "adam"}, {"batch_size", "50"}}, 40), method.text({{"solver", "adam"}}, 40));
  EXPECT_EQ(method.text({{"loss", "squared"}, {"quantile", "0.9"}}, 40), method.text({{"loss", "squared"}}, 40));
  EXPECT_NE(method.text({{"loss", "quantile"}, {"quantile", "0.9"}}, 40), method.text({{"loss", "quantile"}}, 40));
  EXPECT_EQ(method.text({{"interval", "0"}, {"calibration_fraction", "0.3"}}, 40), method.text({}, 40));
  EXPECT_THROW(method.text({{"batch_size", "50"}}, 40), core::UsageError) << "every trial would be the same";
  boosting::FitOptions options;
  options.config = {.batch_size = 50};
  const Boosted with_flag(options, data::Task::regression);
  EXPECT_EQ(with_flag.text({{"solver", "lbfgs"}}, 40), method.text({{"solver", "lbfgs"}}, 40));
  EXPECT_THROW(with_flag.text({}, 40), core::UsageError);
}

TEST(Boosted, StopsWhenAsked) {
  const Fixture on("ringnorm2");
  int asked = 0;
  const std::vector<std::size_t> units{400};
  const Boosted method({}, data::Task::binary);
  EXPECT_FALSE(method.fit({on.problem, on.split, {}, units, 5}, [&] { return ++asked > 2; }).has_value());
  EXPECT_EQ(asked, 3);
}

/// Steps far too long take the loss beyond all numbers; that is an answer, not the end of a search.
TEST(Boosted, AFitThatDivergesHasNoScores) {
  const Fixture on("friedman1");
  boosting::FitOptions options;
  options.config = {.solver = "sgd", .max_iter = 20};
  const FitRecord record = on.fit(Boosted(options, on.problem.target.task), {{"solver_rate", "1e30"}}, {4, 8});
  ASSERT_EQ(record.prefixes.size(), 2u);
  for (const PrefixScores& prefix : record.prefixes) {
    ASSERT_EQ(prefix.metrics.size(), 5u);
    for (const auto& metric : prefix.metrics) EXPECT_TRUE(std::isnan(metric.second)) << metric.first;
  }
}

TEST(Boosted, Refusals) {
  for (const config::Config& given : {config::Config{.validation_fraction = 0.1}, config::Config{.patience = 3},
                                      config::Config{.automatic = true}, config::Config{.time_limit = 5}}) {
    boosting::FitOptions options;
    options.config = given;
    EXPECT_THROW(Boosted(options, data::Task::binary), core::UsageError) << config::settings_of(given).front().first;
  }
  boosting::FitOptions options;
  options.config = {.automatic = false, .time_limit = 0};
  EXPECT_NO_THROW(Boosted(options, data::Task::binary)) << "a parameter that is off ends no fit early";
  options.config = {.alpha = -3};
  EXPECT_THROW(Boosted(options, data::Task::binary), core::UsageError);
  options.config = {};
  options.preset = "none";
  EXPECT_THROW(Boosted(options, data::Task::binary).text({}, 8), core::UsageError);
  const Boosted method({}, data::Task::binary);
  EXPECT_THROW(method.text({{"units_per_step", "9"}}, 8), core::UsageError);
  EXPECT_THROW(method.canonical({"alpha", "-1"}), core::UsageError);
}

}  // namespace
}  // namespace accrete::tune::boosted_test
