#include "accrete/experiment/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "accrete/core/error.hpp"
#include "accrete/experiment/outcome.hpp"
#include "accrete/tune/contender.hpp"
#include "accrete/tune/search.hpp"
#include "tests/experiment/invented.hpp"

namespace accrete::experiment::table_test {
namespace {

class TableTest : public InventedTest {};

/// The same search, written out with nothing of the experiment's but the folder.
tune::SearchResult search_by_hand(const std::string& folder, core::Workers& workers) {
  io::CsvOptions csv;
  csv.as_text = {"target"};
  const data::Table table = io::read_csv(folder + "/iris.csv", csv, workers);
  const auto problem = tune::read_problem(table, {"target"}, data::Task::multiclass);
  const tune::Contender method({"lbfgs", "", model::Method::network, "", {{"solver", "lbfgs"}}}, "",
                               data::Task::multiclass);
  tune::SearchOptions search;
  search.grid = {{{"hidden", {"12", "52", "200"}}}, {tune::whole_model}};
  search.folds = 3;
  search.outer = 10;
  search.seed = 5;
  return tune::search(problem, method, search, workers);
}

TEST_F(TableTest, ACellIsANestedSearch) {
  core::Workers workers(2);
  auto run = options({"iris"}, {"lbfgs"});
  run.seed = 5;
  std::vector<std::string> told;
  run.on_result = [&](const StoredResult& kept) {
    told.push_back(std::string(kept.task) + " " + std::string(kept.method));
  };
  const RunCounts counts = run_table(run, workers);
  EXPECT_EQ(counts.fits, 10u * (3 * 3 + 1));
  EXPECT_EQ(counts.planned, counts.fits);
  EXPECT_EQ(counts.found, 0u);
  EXPECT_FALSE(counts.stopped);
  EXPECT_EQ(told, std::vector<std::string>{"iris lbfgs"});

  const auto cells = read_cells(run.store->results());
  ASSERT_EQ(cells.size(), 1u);
  const Cell& cell = cells.front();
  EXPECT_EQ(cell.profile, "quick");
  EXPECT_EQ(cell.metric, "accuracy");
  EXPECT_EQ(cell.rows, 60u);
  EXPECT_EQ(cell.seed, 5u);
  const auto by_hand = search_by_hand(run.folder, workers);
  ASSERT_EQ(cell.parts.size(), by_hand.outer.size());
  for (std::size_t i = 0; i < cell.parts.size(); ++i) {
    EXPECT_EQ(cell.parts[i].fold, i);
    EXPECT_EQ(cell.parts[i].settings, by_hand.outer[i].chosen.settings) << i;
    EXPECT_EQ(cell.parts[i].score, by_hand.outer[i].metrics.front().second) << i;
  }
  EXPECT_EQ(cell.summary(), by_hand.outer_score("accuracy"));
}

TEST_F(TableTest, TheStoreDoesNotDependOnThreadsOrOrder) {
  core::Workers one(1), two(2);
  run_table(options({"iris", "boston"}, {"lbfgs", "adam"}, "one.sqlite"), one);
  run_table(options({"boston", "iris"}, {"adam", "lbfgs"}, "two.sqlite"), two);
  stores_.clear();
  EXPECT_EQ(results_in(path("one.sqlite")).size(), 4u);
  EXPECT_EQ(results_in(path("one.sqlite")), results_in(path("two.sqlite")));
  EXPECT_EQ(fits_in(path("one.sqlite")), fits_in(path("two.sqlite")));
}

TEST_F(TableTest, WhereNothingIsChosenNothingIsFittedInside) {
  core::Workers workers(2);
  const auto run = options({"iris"}, {"deep"});
  EXPECT_EQ(run_table(run, workers).fits, 10u);
  const auto cells = read_cells(run.store->results());
  for (const TestPart& part : cells.front().parts) EXPECT_TRUE(part.settings.empty());
}

TEST_F(TableTest, APartitionedTaskHasTenTestParts) {
  core::Workers workers(2);
  const auto run = options({"waveform-300"}, {"deep"});
  EXPECT_EQ(run_table(run, workers).planned, 10u);
  const auto cells = read_cells(run.store->results());
  ASSERT_EQ(cells.front().parts.size(), 10u);
  EXPECT_EQ(cells.front().rows, 400u);
}

TEST_F(TableTest, StoppedItKeepsWhatIsDoneAndGoesOn) {
  core::Workers workers(1);
  auto run = options({"iris"}, {"deep", "lbfgs"});
  std::size_t fits = 0;
  run.on_progress = [&](const RunProgress& at) {
    fits = at.fits;
    EXPECT_EQ(at.planned, 110u);
    EXPECT_GE(at.work, 0.0);
    EXPECT_LE(at.work, 1.0);
  };
  run.stop = [&] { return fits >= 25; };
  const RunCounts stopped = run_table(run, workers);
  EXPECT_TRUE(stopped.stopped);
  EXPECT_EQ(stopped.fits, 25u);
  EXPECT_EQ(run.store->results().size(), 1u) << "deep is done";
  run.stop = {};
  const RunCounts gone_on = run_table(run, workers);
  EXPECT_EQ(gone_on.found, 25u);
  EXPECT_EQ(gone_on.fits, 110u);
  run_table(options({"iris"}, {"deep", "lbfgs"}, "whole.sqlite"), workers);
  stores_.clear();
  EXPECT_EQ(results_in(path("s.sqlite")), results_in(path("whole.sqlite")));
}

TEST_F(TableTest, WhatIsWrongWithTheLastTaskIsSaidBeforeTheFirstFit) {
  core::Workers workers(1);
  auto run = options({"iris", "wine"}, {"deep"});
  fs::remove(path("data/wine.csv"));
  run.on_progress = [](const RunProgress&) { ADD_FAILURE() << "a fit"; };
  EXPECT_THROW(run_table(run, workers), core::FileError);
}

}  // namespace
}  // namespace accrete::experiment::table_test
