#include "accrete/experiment/methods.hpp"

#include <gtest/gtest.h>

#include <set>

#include "accrete/core/error.hpp"

namespace accrete::experiment::methods_test {
namespace {

using enum data::Task;

std::size_t points(const char* method, data::Task kind, const char* profile) {
  return grid_of(method_named(method), kind, profile_named(profile)).points().size();
}

TEST(ExperimentMethods, TheGridsAreThePapers) {
  for (const data::Task kind : {binary, multiclass, regression}) {
    EXPECT_EQ(points("gbnn", kind, "paper"), kind == binary ? 36u : 80u);
    EXPECT_EQ(points("deep", kind, "paper"), 1u);
    EXPECT_EQ(points("adam", kind, "paper"), 21u);
    EXPECT_EQ(points("lbfgs", kind, "paper"), 21u);
    EXPECT_EQ(points("sgd", kind, "paper"), 42u) << "each width with two schedules";
    EXPECT_EQ(points("adaboost", kind, "paper"), kind == multiclass ? 4u : 3u);
    EXPECT_EQ(grid_of(method_named("gbnn"), kind, profile_named("paper")).units, std::vector<std::size_t>{200});
  }
  const auto widths = grid_of(method_named("adam"), binary, profile_named("paper")).axes.front().values;
  EXPECT_EQ(widths, (std::vector<std::string>{"1",  "3",  "5",  "7",  "11", "12", "17", "22",  "27",  "32", "37",
                                              "42", "47", "52", "60", "70", "80", "90", "100", "150", "200"}));
}

TEST(ExperimentMethods, AQuickGridIsPartOfThePapers) {
  for (const PaperMethod& method : methods())
    for (const data::Task kind : {binary, multiclass, regression}) {
      const auto full = grid_of(method, kind, profile_named("paper")).points();
      const std::set<tune::Settings> all(full.begin(), full.end());
      for (const auto& point : grid_of(method, kind, profile_named("quick")).points())
        EXPECT_TRUE(all.contains(point)) << method.name << " " << data::task_name(kind);
    }
}

TEST(ExperimentMethods, EnsemblesHaveTwoHundredUnits) {
  for (const auto& pair : grid_of(method_named("adaboost"), multiclass, profile_named("paper")).points()) {
    ASSERT_EQ(pair.size(), 2u);
    EXPECT_EQ(pair[0].first, "estimators");
    EXPECT_EQ(pair[1].first, "units_per_step");
    EXPECT_NEAR(std::stod(pair[0].second) * std::stod(pair[1].second), 200.0, 1.0);
  }
}

TEST(ExperimentMethods, EveryPointIsTakenAsItIsWritten) {
  for (const PaperMethod& method : methods())
    for (const data::Task kind : {binary, multiclass, regression}) {
      const auto made = make_method(method, kind);
      std::set<std::string> texts;
      const auto grid = grid_of(method, kind, profile_named("paper"));
      for (const auto& point : grid.points()) {
        for (const auto& setting : point) EXPECT_EQ(made->canonical(setting), setting.second) << setting.first;
        texts.insert(made->text(point, grid.units.back()));
      }
      EXPECT_EQ(texts.size(), grid.size()) << method.name << ": every point is a fit of its own";
    }
}

/// scikit-learn's defaults, which the paper's authors used, and the paper's step.
TEST(ExperimentMethods, AreMadeAsThePaperHasThem) {
  const auto text = [](const char* name) { return make_method(method_named(name), binary)->text({}, 200) + " "; };
  for (const char* name : {"adam", "lbfgs", "sgd", "deep"})
    for (const char* part : {" activation=relu ", " alpha=0.0001 ", " max_iter=200 ", " tolerance=0.0001 ",
                             " batch_size=200 ", " solver_rate=0.001 ", " momentum=0.9 ", " standardise_target=off "})
      EXPECT_NE(text(name).find(part), std::string::npos) << part << text(name);
  EXPECT_NE(text("deep").find(" hidden=100,100,100 "), std::string::npos);
  for (const char* name : {"deep", "adam", "adaboost"})
    EXPECT_NE(text(name).find(" solver=adam "), std::string::npos) << name;
  EXPECT_NE(text("sgd").find(" solver=sgd "), std::string::npos);
  EXPECT_NE(text("gbnn").find(" activation=logistic "), std::string::npos);
  EXPECT_NE(text("gbnn").find(" units=200 "), std::string::npos);
}

TEST(ExperimentMethods, AreFoundByNameAndPlace) {
  EXPECT_EQ(methods().size(), 6u);
  for (std::size_t i = 0; i < methods().size(); ++i) {
    EXPECT_EQ(&method_named(methods()[i].name), &methods()[i]);
    EXPECT_EQ(index_of(methods()[i]), i);
  }
  EXPECT_THROW(method_named("forest"), core::UsageError);
}

TEST(ExperimentMethods, AGridInWords) {
  EXPECT_EQ(show_grid(grid_of(method_named("sgd"), binary, profile_named("quick"))),
            "hidden 12 52 200; schedule constant adaptive");
  EXPECT_EQ(show_grid(grid_of(method_named("adaboost"), binary, profile_named("quick"))),
            "estimators 200, units_per_step 1; estimators 67, units_per_step 3");
  EXPECT_EQ(show_grid(grid_of(method_named("deep"), binary, profile_named("paper"))), "");
}

TEST(ExperimentProfiles, AreThePapersProtocolAndAShorterOne) {
  const Profile& paper = profile_named("paper");
  EXPECT_EQ(paper.repeats, 5u);
  EXPECT_EQ(paper.outer, 10u);
  EXPECT_EQ(paper.inner, 10u);
  EXPECT_LT(profile_named("quick").inner, paper.inner);
  EXPECT_THROW(profile_named("slow"), core::UsageError);
}

}  // namespace
}  // namespace accrete::experiment::methods_test
