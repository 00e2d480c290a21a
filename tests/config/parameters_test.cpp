#include "accrete/config/parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "accrete/config/preset.hpp"
#include "accrete/core/error.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::config::parameters_test {
namespace {

using data::Task;

bool is_monotone(const Parameter& p) {
  return std::holds_alternative<Parameter::Field<Monotone>>(p.field);
}

bool is_interactions(const Parameter& p) {
  return std::holds_alternative<Parameter::Field<Interactions>>(p.field);
}

bool is_class_weight(const Parameter& p) {
  return std::holds_alternative<Parameter::Field<ClassWeights>>(p.field);
}

bool is_group_weight(const Parameter& p) {
  return std::holds_alternative<Parameter::Field<GroupWeights>>(p.field);
}

/// Texts a parameter must accept, from its own range and choices.
std::vector<std::string> allowed(const Parameter& p) {
  if (std::holds_alternative<Parameter::Field<bool>>(p.field)) return {"on", "off"};
  if (is_monotone(p)) return {"none", "age:+", "age:+,price:-", "\"a,b\":-,\"the \"\"x\"\"\":+", "\"none\":+"};
  if (is_interactions(p)) return {"all", "none", "a", "a,b;c", "\"a;b\",c;\"all\"", "\"none\""};
  if (is_class_weight(p)) return {"none", "balanced", "spam:5", "spam:5,ham:0.5", "\"a,b\":2,\"balanced\":3"};
  if (is_group_weight(p)) return {"none", "region", "region:north=2,south=0.5", "\"none\"", "\"a=b\":\"c:d\"=3"};
  std::vector<std::string> texts;
  if (p.allowed.choices) {
    std::string all = p.allowed.choices();
    for (std::size_t from = 0, to; from < all.size(); from = to + 2) {
      to = std::min(all.find(", ", from), all.size());
      texts.push_back(all.substr(from, to - from));
    }
    return texts;
  }
  const bool whole = std::holds_alternative<Parameter::Field<std::uint64_t>>(p.field);
  if (!p.allowed.low_open) texts.push_back(whole ? std::to_string(static_cast<std::uint64_t>(p.allowed.low)) : "0");
  if (!p.allowed.high_open && std::isfinite(p.allowed.high))
    texts.push_back(std::to_string(static_cast<std::uint64_t>(p.allowed.high)));
  texts.push_back(whole ? "7" : "0.1234567890123456");
  return texts;
}

std::vector<std::string> forbidden(const Parameter& p) {
  if (std::holds_alternative<Parameter::Field<bool>>(p.field)) return {"", "yes", "1", "ON"};
  if (is_monotone(p)) return {"", "age", "age:", "age:1", "age:+,", ",age:+", "age:+;b:-", ":+", "\"age:+", "a:b:+"};
  if (is_interactions(p)) return {"", ",", "a,", "a;", ";a", "a,,b", "a:b", "\"a", "a\"b\""};
  if (is_class_weight(p)) return {"", "spam", "spam:", "spam:x", "spam:1,", ",spam:1", "spam=1", "\"spam:1", "a:1;b:2"};
  if (is_group_weight(p))
    return {"", ":", "region:", "region:north", "region:north:2", "region:north=2,", "a,b", "\"a"};
  if (p.allowed.choices)
    return {"", "nonsense", "auto, nonsense", p.allowed.choices(), " " + allowed(p)[0], allowed(p)[0] + ","};
  std::vector<std::string> texts{"", "x", "nan", "inf", "-inf", "1x", "-1", "1e300x"};
  if (p.allowed.low_open) texts.push_back("0");
  if (p.allowed.high_open) texts.push_back("1");
  if (std::isfinite(p.allowed.high)) texts.push_back(std::to_string(static_cast<std::uint64_t>(p.allowed.high) + 1));
  if (std::holds_alternative<Parameter::Field<std::uint64_t>>(p.field)) texts.push_back("1.5");
  return texts;
}

TEST(Parameters, TakeWhatTheyAllowAndGiveItBack) {
  for (const Parameter& p : parameters())
    for (const auto& text : allowed(p)) {
      Config config;
      ASSERT_NO_THROW(set(config, p, text)) << p.name << " " << text;
      EXPECT_EQ(get(config, p), text) << p.name;
      EXPECT_EQ(canonical(p, text), text) << p.name;
    }
}

TEST(Parameters, RefuseTheRestWithNameAndRange) {
  for (const Parameter& p : parameters())
    for (const auto& text : forbidden(p)) {
      Config config;
      const std::string message = thrown_message<core::UsageError>([&] { set(config, p, text); });
      EXPECT_NE(message.find(p.name), std::string::npos) << p.name << " '" << text << "': " << message;
      EXPECT_NE(message.find(p.range()), std::string::npos) << p.name << " '" << text << "': " << message;
      EXPECT_EQ(config, Config{}) << "a refused value was set";
    }
}

TEST(Parameters, StateBothEndsOfTheirRange) {
  for (const Parameter& p : parameters()) {
    if (p.allowed.choices || std::holds_alternative<Parameter::Field<bool>>(p.field)) continue;
    if (is_monotone(p) || is_interactions(p) || is_class_weight(p) || is_group_weight(p)) continue;
    EXPECT_NE(p.range().find(p.allowed.low_open ? "above" : "at least"), std::string::npos) << p.name;
    if (!std::isfinite(p.allowed.high)) continue;
    EXPECT_NE(p.range().find(p.allowed.high_open ? "below" : "at most"), std::string::npos) << p.name;
  }
}

TEST(Parameters, HaveUniqueNamesAndCoverEveryField) {
  std::set<std::string> names;
  for (const Parameter& p : parameters()) {
    EXPECT_TRUE(names.insert(p.name).second) << p.name;
    EXPECT_EQ(&parameter_named(p.name), &p);
    EXPECT_GT(std::string_view(p.summary).size(), 10u);
  }
  EXPECT_EQ(settings_of(ResolvedConfig{}).size(), names.size());
  EXPECT_NE(thrown_message<core::UsageError>([] { parameter_named("unit"); }).find("units_per_step"),
            std::string::npos);
  // A field without a parameter would not be counted here.
  EXPECT_EQ(names.size(), 39u);
}

TEST(Parameters, CarryAWholeConfigAsSettings) {
  for (const Preset& preset : presets()) {
    ResolvedConfig config = preset.config, copy;
    config.seed = 9007199254740991u;
    config.alpha = 0.1 + 0.2;
    config.bins = 16;
    overwrite(copy, parse_settings(settings_of(config)));
    EXPECT_EQ(copy, config) << preset.name;
  }
}

TEST(Parameters, AreUnsetUntilGiven) {
  EXPECT_TRUE(settings_of(Config{}).empty());
  const Config given{.units = 200, .learning_rate = 0.1, .automatic = false};
  EXPECT_EQ(settings_of(given), (std::vector<Setting>{{"units", "200"}, {"learning_rate", "0.1"}, {"auto", "off"}}));
  const ResolvedConfig config = configure("default", Task::binary, given);
  EXPECT_EQ(config.units, 200u);
  EXPECT_EQ(config.alpha, configure("default", Task::binary).alpha);
  EXPECT_EQ(parse_settings({{Setting{"units", "7"}}}, given).units, 7u);
}

TEST(Parameters, RefuseTypedValuesAsTheyRefuseText) {
  const auto refused = [](const Config& given) {
    return thrown_message<core::UsageError>([&] { configure("default", Task::binary, given); });
  };
  const auto refused_text = [](const Setting& given) {
    return thrown_message<core::UsageError>([&] { parse_settings({{given}}); });
  };
  EXPECT_EQ(refused({.units = 0}), refused_text({"units", "0"}));
  EXPECT_EQ(refused({.learning_rate = 1.5}), refused_text({"learning_rate", "1.5"}));
  EXPECT_EQ(refused({.activation = "elu"}), refused_text({"activation", "elu"}));
  EXPECT_EQ(refused({.units = 0}), "units 0: must be a whole number, at least 1, at most 1000000000");
  EXPECT_NE(refused({.alpha = std::nan("")}), "");
  EXPECT_NE(refused({.seed = std::uint64_t{1} << 53}), "");
}

ResolvedConfig with(Task task, const Config& given, const char* preset = "default") {
  return configure(preset, task, given);
}

TEST(Preset, IsValidForItsTasks) {
  for (const Preset& preset : presets())
    for (Task task : {Task::regression, Task::binary, Task::multiclass}) {
      if (preset.classes != (task != Task::regression)) continue;
      const ResolvedConfig config = configure(preset.name, task);
      EXPECT_NE(config.loss, "auto");
      EXPECT_NE(config.objective, "auto");
    }
  EXPECT_NE(thrown_message<core::UsageError>([] { with(Task::binary, {}, "good"); }).find("default, fast, best, paper"),
            std::string::npos);
}

TEST(Preset, PaperHasTheAuthorsSettingsAndABetterSolver) {
  const ResolvedConfig c = with(Task::binary, {}, "paper");
  EXPECT_EQ(c.units, 200u);
  EXPECT_EQ(c.units_per_step, 1u);
  EXPECT_EQ(c.learning_rate, 1.0);
  EXPECT_EQ(c.subsample, 0.5);
  EXPECT_EQ(c.feature_fraction, 1.0);
  EXPECT_EQ(c.activation, "logistic");
  EXPECT_EQ(c.objective, "projected");
  EXPECT_EQ(c.alpha, 1e-4);
  EXPECT_LT(c.joint_iter, c.max_iter);
  EXPECT_LE(c.max_iter, 200u);
  EXPECT_LE(c.tolerance, 1e-6);
  EXPECT_GT(c.gain_tolerance, 0.0);
  EXPECT_TRUE(c.gauss_newton);
  EXPECT_FALSE(c.rescale_residual || c.standardise_target || c.prior_start);
  EXPECT_EQ(c.validation_fraction, 0.0);
}

TEST(Preset, DefaultIsTheDocumentedOne) {
  const ResolvedConfig classes = with(Task::binary, {}), numbers = with(Task::regression, {});
  EXPECT_TRUE(classes.automatic);
  EXPECT_EQ(classes.units, 800u);
  EXPECT_EQ(classes.units_per_step, 4u);
  EXPECT_EQ(classes.learning_rate, 0.1);
  EXPECT_EQ(classes.activation, "relu");
  EXPECT_EQ(classes.max_iter, 50u);
  EXPECT_EQ(numbers.activation, "tanh");
  EXPECT_EQ(numbers.max_iter, 100u);
  EXPECT_GT(numbers.feature_fraction, classes.feature_fraction);
}

TEST(Preset, PaperEndsMulticlassStepsSoonerUnlessGiven) {
  EXPECT_EQ(with(Task::binary, {}, "paper").gain_tolerance, 0.007);
  EXPECT_EQ(with(Task::multiclass, {}, "paper").gain_tolerance, 0.04);
  EXPECT_EQ(with(Task::multiclass, {.gain_tolerance = 0.01}, "paper").gain_tolerance, 0.01);
  EXPECT_EQ(with(Task::multiclass, {}).gain_tolerance, 0.0);
}

TEST(Preset, ResolvesAutoByTaskLossAndSolver) {
  EXPECT_EQ(with(Task::regression, {}).loss, "squared");
  EXPECT_EQ(with(Task::binary, {}).loss, "logistic");
  EXPECT_EQ(with(Task::multiclass, {}).loss, "softmax");
  EXPECT_EQ(with(Task::regression, {}).objective, "projected");
  EXPECT_EQ(with(Task::binary, {}).objective, "direct");
  EXPECT_EQ(with(Task::multiclass, {}).objective, "direct");
  EXPECT_EQ(with(Task::regression, {.solver = "adam"}).objective, "residual");
  EXPECT_EQ(with(Task::regression, {.loss = "huber"}).objective, "direct");
  EXPECT_EQ(with(Task::regression, {.loss = "poisson"}).objective, "direct");
  EXPECT_EQ(with(Task::binary, {}, "paper").objective, "projected");
  EXPECT_EQ(with(Task::regression, {}, "paper").objective, "projected");
  EXPECT_EQ(with(Task::binary, {.solver = "adam"}, "paper").objective, "residual");
  EXPECT_EQ(with(Task::binary, {.objective = "residual"}, "paper").objective, "residual");
}

TEST(Preset, RefusesContradictoryValuesByName) {
  const auto expect = [](Task task, const Config& given, const char* name) {
    const std::string message = thrown_message<core::UsageError>([&] { with(task, given); });
    EXPECT_NE(message.find(name), std::string::npos) << message;
  };
  expect(Task::binary, {.loss = "squared"}, "loss");
  expect(Task::binary, {.loss = "softmax"}, "loss");
  expect(Task::multiclass, {.loss = "logistic"}, "loss");
  expect(Task::regression, {.loss = "logistic"}, "loss");
  expect(Task::regression, {.loss = "softmax"}, "loss");
  expect(Task::multiclass, {.loss = "poisson"}, "loss");
  expect(Task::regression, {.objective = "projected", .solver = "sgd"}, "solver");
  expect(Task::regression, {.class_weight = ClassWeights{.balanced = true}}, "class_weight");
  expect(Task::binary, {.units = 3, .units_per_step = 4}, "units_per_step");
}

}  // namespace
}  // namespace accrete::config::parameters_test
