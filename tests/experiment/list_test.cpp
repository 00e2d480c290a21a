#include "accrete/experiment/list.hpp"

#include <gtest/gtest.h>

#include "accrete/core/error.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::experiment::list_test {
namespace {

ExperimentOptions chosen(const char* name, const std::vector<std::string>& tasks,
                         const std::vector<std::string>& methods) {
  ExperimentOptions options;
  choose(experiment_named(name), tasks, methods, options);
  return options;
}

void expect_refusal(const char* name, const std::vector<std::string>& tasks, const std::vector<std::string>& methods,
                    const std::vector<std::string>& says) {
  const std::string said = thrown_message<core::UsageError>([&] { chosen(name, tasks, methods); });
  for (const auto& word : says) EXPECT_NE(said.find(word), std::string::npos) << word << " is not in: " << said;
}

TEST(Experiments, AreFoundByName) {
  ASSERT_EQ(experiments().size(), 4u);
  for (const Experiment& experiment : experiments()) EXPECT_EQ(&experiment_named(experiment.name), &experiment);
  EXPECT_THROW(experiment_named("speed"), core::UsageError);
}

TEST(Experiments, WithoutNamesAllThatTheExperimentHas) {
  EXPECT_EQ(chosen("table", {}, {}).tasks.size(), 26u);
  EXPECT_EQ(chosen("table", {}, {}).methods.size(), 6u);
  EXPECT_EQ(chosen("curves", {}, {}).tasks.size(), 3u);
  EXPECT_EQ(chosen("curves", {}, {}).methods.size(), 3u);
  EXPECT_EQ(chosen("times", {}, {}).tasks.size(), 26u);
  EXPECT_EQ(chosen("times", {}, {}).methods.size(), 5u);
  EXPECT_TRUE(chosen("boundary", {}, {}).tasks.empty()) << "boundary generates its data and has no tasks";
  EXPECT_EQ(chosen("boundary", {"ringnorm2d"}, {}).methods.size(), 2u);
}

TEST(Experiments, WithNamesThese) {
  const ExperimentOptions options = chosen("curves", {"tic-tac-toe"}, {"deep", "gbnn"});
  ASSERT_EQ(options.tasks.size(), 1u);
  EXPECT_EQ(options.tasks.front()->name, "tic-tac-toe");
  ASSERT_EQ(options.methods.size(), 2u);
  EXPECT_EQ(options.methods.front()->name, "deep");
}

TEST(Experiments, WhatOneDoesNotHaveIsNamedWithWhatItHas) {
  expect_refusal("curves", {"spambase", "iris"}, {}, {"curves", "'iris'", "spambase, tic-tac-toe, energy_heating"});
  expect_refusal("curves", {}, {"sgd"}, {"curves", "'sgd'", "gbnn, adam, deep"});
  expect_refusal("times", {}, {"adaboost"}, {"times", "'adaboost'", "lbfgs"});
  expect_refusal("boundary", {"iris"}, {}, {"boundary", "'iris'", "ringnorm2d"});
  expect_refusal("table", {"ringnorm2d"}, {}, {"'ringnorm2d'", "iris"});
  expect_refusal("times", {"songs"}, {}, {"'songs'", "iris"});
}

}  // namespace
}  // namespace accrete::experiment::list_test
