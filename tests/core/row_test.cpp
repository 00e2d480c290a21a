// Rows in messages: kept as data, counted as each face counts.

#include "accrete/core/row.hpp"

#include <gtest/gtest.h>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"

namespace accrete::core::row_test {
namespace {

TEST(Row, IsCountedFromOneUnlessAFaceCountsOtherwise) {
  const DataError error(message("x.csv: {}, column '{}': {} is too large", row(6), "age", parameter("alpha", 3)));
  EXPECT_STREQ(error.what(), "x.csv: row 7 (counting from 1), column 'age': alpha 3 is too large");
  const auto from_zero = [](const ParameterReference& reference) {
    constexpr RowNames rows{.word = "line", .first = 0};
    return rows.name(reference).value_or("--" + reference.name);
  };
  EXPECT_EQ(error.message().render(from_zero), "x.csv: line 6 (counting from 0), column 'age': --alpha is too large");
}

TEST(Row, IsNoParameter) {
  EXPECT_EQ(RowNames().name(parameter("row")), std::nullopt);
  EXPECT_EQ(RowNames().name(parameter("units", 3)), std::nullopt);
  EXPECT_EQ(RowNames().name(row(0)), "row 1 (counting from 1)");
}

}  // namespace
}  // namespace accrete::core::row_test
