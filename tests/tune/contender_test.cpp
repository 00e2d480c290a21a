#include "accrete/tune/contender.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "accrete/core/error.hpp"
#include "accrete/data/generate.hpp"

namespace accrete::tune::contender_test {
namespace {

Contender plain(Settings settings = {}, model::Method method = model::Method::network) {
  return Contender({"mine", "", method, "", std::move(settings)}, "", data::Task::binary);
}

struct Fixture {
  data::Table table = data::generator_named("ringnorm2").make(80, 3);
  Problem problem = read_problem(table, {}, std::nullopt);
  data::Split split = data::holdout(80, {}, 0.3, 1);

  FitRecord fit(const Contender& method, const Settings& settings, std::uint64_t seed = 5) const {
    const std::size_t units[] = {whole_model};
    return method.fit({problem, split, settings, units, seed}, {}).value();
  }
};

TEST(Contender, ValuesAreWrittenInOneWay) {
  EXPECT_EQ(plain().canonical({"alpha", "1e-1"}), "0.1");
  EXPECT_EQ(plain().canonical({"hidden", "007,5"}), "7,5");
  EXPECT_EQ(plain({}, model::Method::adaboost).canonical({"estimators", "10"}), "10");
}

TEST(Contender, WhatCannotBeSearchedOver) {
  EXPECT_THROW(plain().canonical({"seed", "3"}), core::UsageError);
  EXPECT_THROW(plain().canonical({"estimators", "3"}), core::UsageError) << "AdaBoost's";
  EXPECT_THROW(plain().canonical({"hidden", "0"}), core::UsageError);
  const Contender grown({"accrete", "", model::Method::boosting, "default", {}}, "", data::Task::binary);
  EXPECT_THROW(grown.canonical({"alpha", "1"}), core::UsageError) << "the boosted contender chooses its own parameters";
}

TEST(Contender, TheTextHasEveryParameterButTheSeed) {
  const Contender method = plain({{"hidden", "9"}});
  const std::string text = method.text({{"alpha", "0.5"}}, whole_model) + " ";
  EXPECT_TRUE(text.starts_with("contender mine "));
  for (const char* part : {" hidden=9 ", " alpha=0.5 ", " solver=adam ", " tolerance=0.0001 ", " schedule=constant "})
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
  EXPECT_EQ(text.find(" seed="), std::string::npos);
  EXPECT_EQ(method.text({{"alpha", "5e-1"}}, whole_model) + " ", text) << "one value, one text";
  EXPECT_EQ(method.text({{"alpha", "0.5"}}, 200) + " ", text) << "the text must not depend on the number of units";
  const Contender weighted({"mine", "", model::Method::network, "", {{"hidden", "9"}}}, "w", data::Task::binary);
  EXPECT_NE(weighted.text({{"alpha", "0.5"}}, whole_model).find(" weight_column=w"), std::string::npos);
}

TEST(Contender, SettingsOfASearchGoOverItsOwn) {
  const Contender method = plain({{"hidden", "9"}, {"solver", "lbfgs"}});
  EXPECT_EQ(method.text({{"hidden", "4"}}, whole_model),
            plain({{"hidden", "4"}, {"solver", "lbfgs"}}).text({}, whole_model));
  const Fixture on;
  EXPECT_EQ(on.fit(method, {}).units, 9u);
  const FitRecord searched = on.fit(method, {{"hidden", "4,3"}});
  EXPECT_EQ(searched.units, 7u);
  EXPECT_EQ(searched.prefixes.front().metrics,
            on.fit(plain({{"hidden", "4,3"}, {"solver", "lbfgs"}}), {}).prefixes.front().metrics);
}

TEST(Contender, OneEntryAndAllMetrics) {
  const Fixture on;
  const Contender method = plain({{"hidden", "5"}});
  const FitRecord record = on.fit(method, {});
  ASSERT_EQ(record.prefixes.size(), 1u);
  EXPECT_EQ(record.prefixes.front().units, whole_model);
  EXPECT_GT(record.seconds, 0.0);
  EXPECT_EQ(record.prefixes.front().metrics.front().first, "accuracy");
  EXPECT_EQ(on.fit(method, {}).prefixes.front().metrics, record.prefixes.front().metrics);
  EXPECT_NE(on.fit(method, {}, 6).prefixes.front().metrics, record.prefixes.front().metrics) << "another seed";
}

TEST(Contender, StopsWhenAsked) {
  const Fixture on;
  const std::size_t units[] = {whole_model};
  int asked = 0;
  EXPECT_FALSE(plain().fit({on.problem, on.split, {}, units, 5}, [&] { return ++asked > 3; }).has_value());
}

TEST(Contender, AllHaveNamesAndTextsOfTheirOwn) {
  std::set<std::string> names, texts;
  for (const ContenderSetup& setup : contenders()) {
    names.insert(setup.name);
    texts.insert(Contender(setup, "", data::Task::binary).text({}, whole_model));
  }
  EXPECT_EQ(names.size(), contenders().size());
  EXPECT_EQ(texts.size(), contenders().size());
}

}  // namespace
}  // namespace accrete::tune::contender_test
