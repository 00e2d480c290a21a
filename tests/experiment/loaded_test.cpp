#include "accrete/experiment/loaded.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "accrete/core/error.hpp"
#include "tests/experiment/invented.hpp"

namespace accrete::experiment::loaded_test {
namespace {

class LoadedTest : public InventedTest {
 protected:
  LoadedTask load_task(const std::string& name) {
    write_invented(folder_, {name});
    return LoadedTask(task_named(name), load(task_named(name), folder_.string(), workers_));
  }

  core::Workers workers_{1};
};

TEST_F(LoadedTest, PartitionsHaveTheTasksRowsAndEachClassInProportion) {
  const LoadedTask data = load_task("waveform-300");
  const TaskSplits drawn = split_task(data, 10, 3);
  ASSERT_EQ(drawn.splits.size(), 10u);
  std::vector<double> of_class(3, 0.0);
  for (std::size_t row = 0; row < 400; ++row) ++of_class[static_cast<std::size_t>(data.problem.target.values(row, 0))];
  std::set<std::vector<std::size_t>> different;
  for (const data::Split& split : drawn.splits) {
    EXPECT_EQ(split.train.size(), 300u);
    EXPECT_EQ(split.test.size(), 100u);
    std::set<std::size_t> rows(split.train.begin(), split.train.end());
    rows.insert(split.test.begin(), split.test.end());
    EXPECT_EQ(rows.size(), 400u) << "no row is in both parts";
    std::vector<double> trained(3, 0.0);
    for (const std::size_t row : split.train) ++trained[static_cast<std::size_t>(data.problem.target.values(row, 0))];
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(trained[k], 0.75 * of_class[k], 1.0) << k;
    different.insert(split.train);
  }
  EXPECT_EQ(different.size(), 10u);
  EXPECT_NE(split_task(data, 10, 4).splits.front().train, drawn.splits.front().train);
}

TEST_F(LoadedTest, WordsTellCutsApart) {
  const LoadedTask small = load_task("waveform-300"), large = load_task("waveform");
  EXPECT_EQ(small.fingerprint, large.fingerprint) << "one file";
  const std::set<std::string> words{split_task(small, 10, 3).text, split_task(large, 10, 3).text,
                                    split_task(large, 10, 4).text, split_task(large, 5, 3).text};
  EXPECT_EQ(words.size(), 4u);
  EXPECT_LT(small.size(), large.size());
}

TEST_F(LoadedTest, AClassMayBeANumber) {
  const LoadedTask data = load_task("iris");
  EXPECT_EQ(data.problem.target.classes.size(), 3u);
  EXPECT_EQ(split_task(data, 10, 0).splits.size(), 10u);
}

TEST_F(LoadedTest, Refusals) {
  EXPECT_THROW(load(task_named("vowel"), folder_.string(), workers_), core::FileError);
  write_invented(folder_, {"iris"});
  fs::rename(path("iris.csv"), path("waveform.csv"));
  const LoadedTask few(task_named("waveform-300"), load(task_named("waveform-300"), folder_.string(), workers_));
  EXPECT_THROW(split_task(few, 10, 0), core::DataError) << "60 rows, and 300 to train on";
  std::ofstream(path("wine.csv")) << "a,class\n1,x\n2,y\n";
  EXPECT_THROW(LoadedTask(task_named("wine"), load(task_named("wine"), folder_.string(), workers_)), core::DataError);
}

}  // namespace
}  // namespace accrete::experiment::loaded_test
