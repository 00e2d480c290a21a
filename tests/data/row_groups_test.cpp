#include "accrete/data/row_groups.hpp"

#include <gtest/gtest.h>

#include "tests/data/columns.hpp"

namespace accrete::data::row_groups_test {
namespace {

using Names = std::vector<std::string>;
using Rows = std::vector<std::size_t>;

TEST(RowGroups, AreTheLevelsOfTextAndThoseWithoutOne) {
  const RowGroups groups = read_groups(text("c", {"b", "unused", "a"}, {2, -1, 0, 2, -1}));
  EXPECT_EQ(groups.names, (Names{"b", "unused", "a"}));
  EXPECT_EQ(groups.of_row, (Rows{2, 3, 0, 2, 3}));
}

TEST(RowGroups, AreTheDistinctNumbersInTheirOrder) {
  const RowGroups groups = read_groups(numeric("n", {missing, 2.0f, 0.1f, 2.0f, -1e20f, missing, 0.1f}));
  EXPECT_EQ(groups.names, (Names{"2", "0.1", "-1e+20"}));
  EXPECT_EQ(groups.of_row, (Rows{3, 0, 1, 0, 2, 3, 1}));
}

TEST(RowGroups, TakeZerosOfEitherSignAsOneGroup) {
  const RowGroups groups = read_groups(numeric("n", {0.0f, -0.0f, 1.0f}));
  EXPECT_EQ(groups.names, (Names{"0", "1"}));
  EXPECT_EQ(groups.of_row, (Rows{0, 0, 1}));
}

TEST(RowGroups, AreEmptyWithoutRowsOrValues) {
  EXPECT_TRUE(read_groups(numeric("n", {})).of_row.empty());
  const RowGroups groups = read_groups(numeric("n", {missing, missing}));
  EXPECT_TRUE(groups.names.empty());
  EXPECT_EQ(groups.of_row, (Rows{0, 0}));
}

}  // namespace
}  // namespace accrete::data::row_groups_test
