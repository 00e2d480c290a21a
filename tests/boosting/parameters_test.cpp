#include "accrete/boosting/parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "accrete/boosting/preset.hpp"
#include "accrete/core/error.hpp"

namespace accrete::boosting {
namespace {

using data::Task;

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const core::UsageError& error) {
    return error.what();
  }
  return "";
}

/// Texts a parameter must take, from its own range and choices.
std::vector<std::string> allowed(const Parameter& p) {
  if (std::holds_alternative<bool Config::*>(p.field)) return {"on", "off"};
  std::vector<std::string> texts;
  if (p.choices) {
    std::string all = p.choices();
    for (std::size_t from = 0, to; from < all.size(); from = to + 2) {
      to = std::min(all.find(", ", from), all.size());
      texts.push_back(all.substr(from, to - from));
    }
    return texts;
  }
  const bool whole = std::holds_alternative<std::uint64_t Config::*>(p.field);
  if (!p.low_open) texts.push_back(whole ? std::to_string(static_cast<std::uint64_t>(p.low)) : "0");
  if (!p.high_open && std::isfinite(p.high)) texts.push_back(std::to_string(static_cast<std::uint64_t>(p.high)));
  texts.push_back(whole ? "7" : "0.1234567890123456");
  return texts;
}

std::vector<std::string> forbidden(const Parameter& p) {
  if (std::holds_alternative<bool Config::*>(p.field)) return {"", "yes", "1", "ON"};
  if (p.choices) return {"", "nonsense", "auto, nonsense", p.choices(), " " + allowed(p)[0], allowed(p)[0] + ","};
  std::vector<std::string> texts{"", "x", "nan", "inf", "-inf", "1x", "-1", "1e300x"};
  if (p.low_open) texts.push_back("0");
  if (p.high_open) texts.push_back("1");
  if (std::isfinite(p.high)) texts.push_back(std::to_string(static_cast<std::uint64_t>(p.high) + 1));
  if (std::holds_alternative<std::uint64_t Config::*>(p.field)) texts.push_back("1.5");
  return texts;
}

TEST(Parameters, every_one_takes_what_it_allows_and_gives_it_back) {
  for (const Parameter& p : parameters())
    for (const auto& text : allowed(p)) {
      Config config;
      ASSERT_NO_THROW(set(config, p, text)) << p.flag() << " " << text;
      EXPECT_EQ(get(config, p), text) << p.flag();
      Config again;
      set(again, p, get(config, p));
      EXPECT_EQ(again, config) << p.flag();
    }
}

TEST(Parameters, every_one_refuses_the_rest_by_flag_and_range) {
  for (const Parameter& p : parameters())
    for (const auto& text : forbidden(p)) {
      Config config;
      const std::string message = refusal([&] { set(config, p, text); });
      EXPECT_NE(message.find(p.flag()), std::string::npos) << p.flag() << " '" << text << "': " << message;
      EXPECT_NE(message.find(p.range()), std::string::npos) << p.flag() << " '" << text << "': " << message;
      EXPECT_EQ(config, Config{}) << "a refused value was set all the same";
    }
}

TEST(Parameters, the_range_says_both_ends) {
  for (const Parameter& p : parameters()) {
    if (p.choices || std::holds_alternative<bool Config::*>(p.field)) continue;
    EXPECT_NE(p.range().find(p.low_open ? "above" : "at least"), std::string::npos) << p.flag();
    if (!std::isfinite(p.high)) continue;
    EXPECT_NE(p.range().find(p.high_open ? "below" : "at most"), std::string::npos) << p.flag();
  }
}

TEST(Parameters, names_are_unique_and_every_field_of_the_config_has_one) {
  std::set<std::string> names;
  for (const Parameter& p : parameters()) {
    EXPECT_TRUE(names.insert(p.name).second) << p.name;
    EXPECT_EQ(&parameter_named(p.name), &p);
    EXPECT_GT(std::string_view(p.summary).size(), 10u);
  }
  EXPECT_EQ(settings_of({}).size(), names.size());
  EXPECT_NE(refusal([] { parameter_named("unit"); }).find("units_per_step"), std::string::npos);
  // A new field without a parameter changes the size of the struct.
  EXPECT_EQ(names.size(), 32u);
}

TEST(Parameters, settings_carry_a_config_whole) {
  for (const Preset& preset : presets()) {
    Config config = preset.config, copy;
    config.seed = 9007199254740991u;
    config.alpha = 0.1 + 0.2;
    config.bins = 16;
    for (const auto& [name, text] : settings_of(config)) set(copy, parameter_named(name), text);
    EXPECT_EQ(copy, config) << preset.name;
  }
}

Config with(Task task, std::vector<Setting> settings, const char* preset = "default") {
  return configure(preset, task, settings);
}

TEST(Preset, every_one_is_valid_for_its_tasks) {
  for (const Preset& preset : presets())
    for (Task task : {Task::regression, Task::binary, Task::multiclass}) {
      if (preset.classes != (task != Task::regression)) continue;
      const Config config = configure(preset.name, task, std::vector<Setting>{});
      EXPECT_NE(config.loss, "auto");
      EXPECT_NE(config.objective, "auto");
    }
  EXPECT_NE(refusal([] { with(Task::binary, {}, "best"); }).find("default, paper"), std::string::npos);
}

TEST(Preset, the_paper_has_the_authors_settings_and_a_better_solver) {
  const Config c = with(Task::binary, {}, "paper");
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

TEST(Preset, many_classes_end_a_step_of_the_paper_sooner_unless_told) {
  EXPECT_EQ(with(Task::binary, {}, "paper").gain_tolerance, 0.007);
  EXPECT_EQ(with(Task::multiclass, {}, "paper").gain_tolerance, 0.04);
  EXPECT_EQ(with(Task::multiclass, {{"gain_tolerance", "0.01"}}, "paper").gain_tolerance, 0.01);
  EXPECT_EQ(with(Task::multiclass, {}).gain_tolerance, 0.0);
}

TEST(Preset, auto_is_resolved_by_task_loss_and_solver) {
  EXPECT_EQ(with(Task::regression, {}).loss, "squared");
  EXPECT_EQ(with(Task::binary, {}).loss, "logistic");
  EXPECT_EQ(with(Task::multiclass, {}).loss, "softmax");
  EXPECT_EQ(with(Task::regression, {}).objective, "projected");
  EXPECT_EQ(with(Task::binary, {}).objective, "direct");
  EXPECT_EQ(with(Task::multiclass, {}).objective, "direct");
  EXPECT_EQ(with(Task::regression, {{"solver", "adam"}}).objective, "residual");
  EXPECT_EQ(with(Task::regression, {{"loss", "huber"}}).objective, "direct");
  EXPECT_EQ(with(Task::regression, {{"loss", "poisson"}}).objective, "direct");
  EXPECT_EQ(with(Task::binary, {}, "paper").objective, "projected");
  EXPECT_EQ(with(Task::regression, {}, "paper").objective, "projected");
  EXPECT_EQ(with(Task::binary, {{"solver", "adam"}}, "paper").objective, "residual");
  EXPECT_EQ(with(Task::binary, {{"objective", "residual"}}, "paper").objective, "residual");
}

TEST(Preset, what_cannot_go_together_is_refused_with_its_flags) {
  const auto expect = [](Task task, std::vector<Setting> settings, const char* flag) {
    const std::string message = refusal([&] { with(task, settings); });
    EXPECT_NE(message.find(flag), std::string::npos) << message;
  };
  expect(Task::binary, {{"loss", "squared"}}, "--loss");
  expect(Task::binary, {{"loss", "softmax"}}, "--loss");
  expect(Task::multiclass, {{"loss", "logistic"}}, "--loss");
  expect(Task::regression, {{"loss", "logistic"}}, "--loss");
  expect(Task::regression, {{"loss", "softmax"}}, "--loss");
  expect(Task::multiclass, {{"loss", "poisson"}}, "--loss");
  expect(Task::regression, {{"objective", "projected"}, {"solver", "sgd"}}, "--solver");
  expect(Task::regression, {{"class_weight", "balanced"}}, "--class-weight");
  expect(Task::binary, {{"units", "3"}, {"units_per_step", "4"}}, "--units-per-step");
  expect(Task::binary, {{"unit", "3"}}, "unit");
}

}  // namespace
}  // namespace accrete::boosting
