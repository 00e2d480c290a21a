#include "accrete/experiment/tasks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "accrete/core/error.hpp"
#include "accrete/experiment/methods.hpp"
#include "tests/experiment/invented.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::experiment::tasks_test {
namespace {

TEST(ExperimentTasks, AreThePapers) {
  EXPECT_EQ(tasks().size(), 26u);
  const auto count = [](data::Task kind) { return std::ranges::count(tasks(), kind, &PaperTask::kind); };
  EXPECT_EQ(count(data::Task::binary), 12);
  EXPECT_EQ(count(data::Task::multiclass), 7);
  EXPECT_EQ(count(data::Task::regression), 7);
  std::set<std::string_view> names;
  for (const PaperTask& task : tasks()) names.insert(task.name);
  EXPECT_EQ(names.size(), 26u);
  EXPECT_EQ(tasks()[11].kind, data::Task::binary) << "the classes first, two before many";
  EXPECT_EQ(tasks()[19].kind, data::Task::regression);
}

struct Figure {
  const char *task, *method;
  double mean, sd;
};

/// Read from the paper once more.
TEST(ExperimentTasks, PrintedFigures) {
  for (const Figure& f : {Figure{"australian", "gbnn", 85.91, 4.81}, Figure{"australian", "sgd", 86.35, 4.28},
                          Figure{"spambase", "adam", 94.61, 1.01}, Figure{"spambase", "adaboost", 74.20, 13.16},
                          Figure{"tic-tac-toe", "gbnn", 98.70, 1.17}, Figure{"tic-tac-toe", "lbfgs", 93.53, 2.56},
                          Figure{"iris", "deep", 94.40, 6.58}, Figure{"waveform-300", "adaboost", 84.55, 0.40},
                          Figure{"energy_heating", "gbnn", 0.43, 0.08}, Figure{"power", "adaboost", 123.37, 9.70}}) {
    const PublishedScore& printed = task_named(f.task).printed[index_of(method_named(f.method))];
    EXPECT_EQ(printed.mean, f.mean) << f.task << " " << f.method;
    EXPECT_EQ(printed.sd, f.sd) << f.task << " " << f.method;
  }
  EXPECT_EQ(task_named("waveform-300").training_rows, 300u);
  EXPECT_EQ(task_named("waveform-300").stem(), "waveform");
}

class ExperimentData : public InventedTest {};

TEST_F(ExperimentData, IsFoundPackedOrNot) {
  write_invented(folder_, {"iris"});
  EXPECT_EQ(find_data(task_named("iris"), folder_.string()), path("iris.csv"));
  fs::rename(path("iris.csv"), path("iris.csv.gz"));
  EXPECT_EQ(find_data(task_named("iris"), folder_.string()), path("iris.csv.gz"));
}

TEST_F(ExperimentData, WhatIsMissingIsNamed) {
  const auto said = thrown_message<core::FileError>([&] { find_data(task_named("waveform-300"), folder_.string()); });
  for (const std::string& part : {folder_.string(), std::string("waveform.csv"), std::string("Waveform-300")})
    EXPECT_NE(said.find(part), std::string::npos) << said;
  EXPECT_THROW(task_named("mnist"), core::UsageError);
}

}  // namespace
}  // namespace accrete::experiment::tasks_test
