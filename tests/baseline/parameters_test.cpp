#include "accrete/baseline/parameters.hpp"

#include <gtest/gtest.h>

#include <set>

#include "accrete/boosting/parameters.hpp"
#include "accrete/core/error.hpp"

namespace accrete::baseline {
namespace {

using model::Method;

std::string refusal(Method method, std::vector<Setting> settings) {
  try {
    configure(method, settings);
  } catch (const core::UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(PlainParameters, defaults_are_scikit_learns) {
  const Config config = configure(Method::network, {});
  EXPECT_EQ(config, Config{});
  EXPECT_EQ(config.hidden, (std::vector<std::uint64_t>{100}));
  EXPECT_EQ(config.activation, "relu");
  EXPECT_EQ(config.solver, "adam");
  EXPECT_EQ(config.alpha, 1e-4);
  EXPECT_EQ(config.max_iter, 200u);
  EXPECT_EQ(config.tolerance, 1e-4);
  EXPECT_FALSE(config.standardise_target);
  EXPECT_EQ(configure(Method::adaboost, {}).solver, "lbfgs");
}

TEST(PlainParameters, layers_are_a_list) {
  const std::vector<Setting> given{{"hidden", "100,20,3"}};
  const Config config = configure(Method::network, given);
  EXPECT_EQ(config.hidden, (std::vector<std::uint64_t>{100, 20, 3}));
  for (const char* wrong : {"", ",", "10,", ",10", "10,,3", "0", "10,0", "1.5", "ten", "10 20", "1e7", "-3"})
    EXPECT_NE(refusal(Method::network, {{"hidden", wrong}}).find("whole numbers with commas"), std::string::npos)
        << wrong;
}

TEST(PlainParameters, a_method_refuses_those_it_does_not_have) {
  EXPECT_NE(refusal(Method::network, {{"units", "3"}}).find("--units: --method network has no such"),
            std::string::npos);
  EXPECT_NE(refusal(Method::network, {{"estimators", "3"}}).find("it has --hidden"), std::string::npos);
  EXPECT_NE(refusal(Method::adaboost, {{"hidden", "3"}}).find("--method adaboost"), std::string::npos);
  EXPECT_NE(refusal(Method::adaboost, {{"units_per_step", "0"}}).find("at least 1"), std::string::npos);
  EXPECT_NE(refusal(Method::network, {{"solver", "newton"}}).find("lbfgs, adam, sgd"), std::string::npos);
}

TEST(PlainParameters, settings_carry_a_config_whole) {
  for (const Method method : {Method::network, Method::adaboost}) {
    std::set<std::string> names;
    for (const Parameter& p : parameters(method)) EXPECT_TRUE(names.insert(p.name).second) << p.name;
    Config config = configure(method, {});
    config.alpha = 0.1 + 0.2;
    config.seed = 9007199254740991u;
    config.schedule = "adaptive";
    if (method == Method::network) config.hidden = {7, 8};
    auto settings = settings_of(method, config);
    EXPECT_EQ(settings.front(), Setting("method", model::method_name(method)));
    settings.erase(settings.begin());
    EXPECT_EQ(configure(method, settings), config);
  }
}

/// The command has one flag for a name, and one type for its value.
TEST(PlainParameters, names_shared_with_boosting_are_of_one_kind) {
  for (const Method method : {Method::network, Method::adaboost})
    for (const Parameter& p : parameters(method))
      for (const boosting::Parameter& other : boosting::parameters())
        if (std::string(p.name) == other.name) {
          EXPECT_EQ(p.field.index(), other.field.index()) << p.name;
        }
}

}  // namespace
}  // namespace accrete::baseline
