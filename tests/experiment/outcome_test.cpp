#include "accrete/experiment/outcome.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/core/error.hpp"
#include "tests/experiment/invented.hpp"

namespace accrete::experiment::outcome_test {
namespace {

class OutcomeTest : public InventedTest {
 protected:
  static Cell cell() {
    Cell cell{"quick", "iris", "sgd", "accuracy", 150, (std::uint64_t{1} << 63) + 1};
    cell.parts = {{0, 0, 0.1, {{"hidden", "12"}, {"schedule", "constant"}}},
                  {0, 1, std::nan(""), {{"hidden", "52"}, {"schedule", "adaptive"}}},
                  {1, 0, 1.0 / 3.0, {{"hidden", "52"}, {"schedule", "adaptive"}}},
                  {1, 1, 0.3, {{"hidden", "12"}, {"schedule", "constant"}}}};
    return cell;
  }
};

TEST_F(OutcomeTest, ComesBackFromAStoreBitForBit) {
  store::open(path("s.sqlite"))->keep_result(to_result(cell()));
  const auto cells = read_cells(store::open(path("s.sqlite"))->results());
  ASSERT_EQ(cells.size(), 1u);
  const Cell& read = cells.front();
  EXPECT_EQ(read.profile, "quick");
  EXPECT_EQ(read.task, "iris");
  EXPECT_EQ(read.method, "sgd");
  EXPECT_EQ(read.metric, "accuracy");
  EXPECT_EQ(read.rows, 150u);
  EXPECT_EQ(read.seed, cell().seed);
  ASSERT_EQ(read.parts.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(read.parts[i].repeat, cell().parts[i].repeat);
    EXPECT_EQ(read.parts[i].fold, cell().parts[i].fold);
    EXPECT_EQ(read.parts[i].settings, cell().parts[i].settings);
    EXPECT_TRUE(i == 1 || read.parts[i].score == cell().parts[i].score) << i;
  }
  EXPECT_TRUE(std::isnan(read.parts[1].score)) << "a fit that failed is not one that scored 0";
  EXPECT_TRUE(std::isnan(read.summary().mean));
  EXPECT_EQ(to_result(read).document, to_result(cell()).document);
}

TEST_F(OutcomeTest, TheFavouriteIsWhatMostPartsChose) {
  Cell votes = cell();
  EXPECT_EQ(votes.modal_settings().front().second, "12") << "of equally frequent settings, the first";
  votes.parts.push_back({2, 0, 0.5, {{"hidden", "52"}, {"schedule", "adaptive"}}});
  EXPECT_EQ(votes.modal_settings().front().second, "52");
}

TEST_F(OutcomeTest, ResultsOfOtherExperimentsAreNotCells) {
  EXPECT_TRUE(read_cells({{{"curves", "quick", "iris", "adam"}, "{}"}}).empty());
  for (const char* document : {"{}", "nothing", R"({"metric": 3})"})
    EXPECT_THROW(read_cells({{{"table", "quick", "iris", "adam"}, document}}), core::FileError) << document;
}

TEST_F(OutcomeTest, NumbersThatCannotBeAreRefused) {
  const auto refused = [](auto change) {
    Cell damaged = cell();
    change(damaged);
    EXPECT_THROW(read_cells({to_result(damaged)}), core::FileError);
  };
  refused([](Cell& c) { c.parts[0].score = 93.0; });
  refused([](Cell& c) { c.parts[0].score = -0.1; });
  refused([](Cell& c) { c.parts[1].fold = 0; });
  refused([](Cell& c) { c.parts.clear(); });
  refused([](Cell& c) { c.metric = "luck"; });
  Cell rmse = cell();
  rmse.metric = "rmse";
  rmse.parts[0].score = 93.0;
  EXPECT_EQ(read_cells({to_result(rmse)}).size(), 1u);
}

}  // namespace
}  // namespace accrete::experiment::outcome_test
