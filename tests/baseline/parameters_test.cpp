#include "accrete/baseline/parameters.hpp"

#include <gtest/gtest.h>

#include <set>

#include "accrete/config/parameters.hpp"
#include "accrete/core/error.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::baseline::parameters_test {
namespace {

using model::Method;

std::string refused_text(Method method, const Setting& setting) {
  return thrown_message<core::UsageError>([&] { parse_settings(method, {{setting}}); });
}

std::string refused(Method method, const Config& given) {
  return thrown_message<core::UsageError>([&] { configure(method, given); });
}

TEST(PlainParameters, HaveTheDefaultsOfScikitLearn) {
  const ResolvedConfig config = configure(Method::network);
  EXPECT_EQ(config, ResolvedConfig{});
  EXPECT_EQ(config.hidden, (std::vector<std::uint64_t>{100}));
  EXPECT_EQ(config.activation, "relu");
  EXPECT_EQ(config.solver, "adam");
  EXPECT_EQ(config.alpha, 1e-4);
  EXPECT_EQ(config.max_iter, 200u);
  EXPECT_EQ(config.tolerance, 1e-4);
  EXPECT_FALSE(config.standardise_target);
  EXPECT_EQ(configure(Method::adaboost).solver, "lbfgs");
}

TEST(PlainParameters, TakeLayersAsAList) {
  const std::vector<std::uint64_t> layers{100, 20, 3};
  EXPECT_EQ(parse_settings(Method::network, {{Setting{"hidden", "100,20,3"}}}).hidden, layers);
  EXPECT_EQ(configure(Method::network, {.hidden = layers}).hidden, layers);
  for (const char* wrong : {"", ",", "10,", ",10", "10,,3", "0", "10,0", "1.5", "ten", "10 20", "1e7", "-3"})
    EXPECT_NE(refused_text(Method::network, {"hidden", wrong}).find("comma-separated whole numbers"), std::string::npos)
        << wrong;
  EXPECT_NE(refused(Method::network, {.hidden = std::vector<std::uint64_t>{10, 0}}), "");
  EXPECT_NE(refused(Method::network, {.hidden = std::vector<std::uint64_t>{}}), "");
}

TEST(PlainParameters, RefuseThoseOfOtherMethods) {
  EXPECT_NE(refused_text(Method::network, {"units", "3"}).find("units: method network has no such"), std::string::npos);
  EXPECT_NE(refused(Method::network, {.estimators = 3}).find("it has hidden"), std::string::npos);
  EXPECT_NE(refused(Method::adaboost, {.hidden = std::vector<std::uint64_t>{3}}).find("method adaboost"),
            std::string::npos);
  EXPECT_NE(refused(Method::adaboost, {.units_per_step = 0}).find("at least 1"), std::string::npos);
  EXPECT_NE(refused(Method::network, {.solver = "newton"}).find("lbfgs, adam, sgd"), std::string::npos);
}

TEST(PlainParameters, RefuseThoseOfOtherSolvers) {
  EXPECT_EQ(refused(Method::adaboost, {.batch_size = 50}), "batch_size 50 needs solver adam or sgd, not lbfgs");
  EXPECT_EQ(refused(Method::network, {.momentum = 0.5}), "momentum 0.5 needs solver sgd, not adam");
  EXPECT_NO_THROW(configure(Method::network, {.batch_size = 50}));
  EXPECT_NO_THROW(configure(Method::network, {.solver = "sgd", .momentum = 0.5}));
}

TEST(PlainParameters, CarryAWholeConfigAsSettings) {
  for (const Method method : {Method::network, Method::adaboost}) {
    std::set<std::string> names;
    for (const Parameter& p : parameters(method)) EXPECT_TRUE(names.insert(p.name).second) << p.name;
    ResolvedConfig config = configure(method);
    config.alpha = 0.1 + 0.2;
    config.seed = 9007199254740991u;
    config.schedule = "adaptive";
    if (method == Method::network) config.hidden = {7, 8};
    auto settings = settings_of(method, config);
    EXPECT_EQ(settings.front(), Setting("method", model::method_name(method)));
    settings.erase(settings.begin());
    EXPECT_EQ(configure(method, parse_settings(method, settings)), config);
  }
}

/// The command has one flag for a name, and one type for its value.
TEST(PlainParameters, ShareTheTypesOfBoostingParameters) {
  for (const Method method : {Method::network, Method::adaboost})
    for (const Parameter& p : parameters(method))
      for (const config::Parameter& other : config::parameters())
        if (std::string(p.name) == other.name) {
          EXPECT_EQ(p.field.index(), other.field.index()) << p.name;
        }
}

}  // namespace
}  // namespace accrete::baseline::parameters_test
