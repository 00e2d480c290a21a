#include "accrete/data/encoder/column_encoding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/core/overloaded.hpp"
#include "accrete/data/encoder/feature_writer.hpp"
#include "tests/data/columns.hpp"

namespace accrete::data::column_encoding_test {
namespace {

Input binned() {
  return {.name = "age",
          .mean = 30.0,
          .scale = 10.0,
          .gap_flag = true,
          .knots = {0.0f, 20.0f, 50.0f},
          .bin_means = {0.75, 0.25},
          .bin_scales = {0.25, 0.5}};
}

Input category() {
  return {.name = "colour",
          .kind = Column::Kind::text,
          .gap_flag = true,
          .levels = {"blue", "red", "always", "never"},
          .shares = {0.2, 0.5, 1.0, 0.0}};
}

/// "standardised@7+1 bins@8+2 ..."
std::string layout(const ColumnEncoding& column) {
  std::string text;
  const auto add = [&](const char* name, const FeatureGroup& group) {
    text += std::string(name) + "@" + std::to_string(group.first) + "+" + std::to_string(group.count) + " ";
  };
  column.visit(core::Overloaded{[&](const Standardised&, const FeatureGroup& group) { add("standardised", group); },
                                [&](const Bins&, const FeatureGroup& group) { add("bins", group); },
                                [&](const OneHot&, const FeatureGroup& group) { add("one_hot", group); },
                                [&](const GapFlag&, const FeatureGroup& group) { add("gap_flag", group); }});
  return text;
}

TEST(ColumnEncoding, LaysGroupsOutContiguouslyFromTheFirstFeature) {
  EXPECT_EQ(layout({binned(), 7}), "standardised@7+1 bins@8+2 gap_flag@10+1 ");
  EXPECT_EQ(layout({category(), 3}), "one_hot@3+4 gap_flag@7+1 ");
  EXPECT_EQ(layout({{.name = "plain"}, 0}), "standardised@0+1 ");
  EXPECT_EQ(layout({{.name = "empty", .kind = Column::Kind::text}, 5}), "");
  EXPECT_EQ(ColumnEncoding(binned(), 7).width(), 4u);
  EXPECT_EQ(ColumnEncoding(binned(), 7).find<GapFlag>()->first, 10u);
  EXPECT_EQ(ColumnEncoding(binned(), 7).get<OneHot>(), nullptr);
}

TEST(ColumnEncoding, KeepsExactNumbersAndTheirSinglePrecision) {
  const ColumnEncoding number(binned(), 0), text(category(), 0);
  EXPECT_EQ(number.get<Standardised>()->inverse, 1.0 / 10.0);
  const Bins& bins = *number.get<Bins>();
  EXPECT_EQ(bins.bins[1].width(), 30.0);
  EXPECT_EQ(bins.bins[1].slope(), 1.0 / 15.0);
  EXPECT_EQ(bins.ramps[1].slope, 1.0f / 15.0f);
  EXPECT_EQ(bins.ramps[1].low, -0.5f);
  const std::vector<Level>& levels = text.get<OneHot>()->levels;
  EXPECT_EQ(levels[0].on, 2.0f);
  EXPECT_EQ(levels[0].off, -0.5f);
  EXPECT_EQ(levels[2].off, 0.0f) << "a level that every training row had never changes a prediction";
  EXPECT_EQ(levels[3].on, 1.0f) << "a level that no training row had is unscaled";
}

TEST(FeatureWriter, WritesTheSameBitsForColumnsRowsAndInPlace) {
  const std::vector<std::pair<Input, std::vector<float>>> cases{
      {binned(), {-5.0f, 10.0f, missing, 20.0f, 35.0f, 1e9f}},
      {category(), {0.0f, 1.0f, missing, -1.0f, 2.0f, 0.5f, 99.0f, infinity}}};
  for (const auto& [input, x] : cases) {
    const ColumnEncoding column(input, 11);
    const std::size_t stride = x.size() + 3;
    std::vector<float> values(column.width() * stride), in_place(values.size()), row(column.width());
    ASSERT_TRUE(write_features(column, FeatureStorage::expanded, x.data(), x.size(), values.data(), stride));
    std::ranges::copy(x, in_place.begin());
    ASSERT_TRUE(write_features(column, FeatureStorage::expanded, in_place.data(), x.size(), in_place.data(), stride));
    EXPECT_EQ(in_place, values);
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_TRUE(write_row(column, x[i], row.data()));
      for (std::size_t f = 0; f < row.size(); ++f) EXPECT_EQ(row[f], values[f * stride + i]) << x[i] << ' ' << f;
    }
  }
}

TEST(FeatureWriter, StoresRawNumbersInsteadOfRampsWhenCompact) {
  const ColumnEncoding column(binned(), 0);
  EXPECT_EQ(stored_columns(column, FeatureStorage::expanded), 4u);
  ASSERT_EQ(stored_columns(column, FeatureStorage::compact), 3u);
  const std::vector<float> x{40.0f, missing};
  std::vector<float> values(6);
  ASSERT_TRUE(write_features(column, FeatureStorage::compact, x.data(), 2, values.data(), 2));
  EXPECT_EQ(values[0], 1.0f);
  EXPECT_EQ(values[1], 0.0f);
  EXPECT_EQ(values[2], 40.0f);
  EXPECT_TRUE(std::isnan(values[3]));
  EXPECT_EQ(values[4], 0.0f);
  EXPECT_EQ(values[5], 1.0f);
}

TEST(FeatureWriter, StoresCodesInsteadOfLevelsWhenCompact) {
  const ColumnEncoding column(category(), 0);
  ASSERT_EQ(stored_columns(column, FeatureStorage::compact), 2u) << "codes and a gap flag";
  const std::vector<float> x{3.0f, missing, 0.0f};
  std::vector<float> values(2 * 4, -1.0f);
  ASSERT_TRUE(write_features(column, FeatureStorage::compact, x.data(), 3, values.data(), 4));
  EXPECT_EQ(values[0], 3.0f);
  EXPECT_TRUE(std::isnan(values[1]));
  EXPECT_EQ(values[2], 0.0f);
  EXPECT_EQ(std::vector<float>(values.begin() + 3, values.end()), (std::vector<float>{-1.0f, 0.0f, 1.0f, 0.0f, -1.0f}));
}

TEST(FeatureWriter, ReportsInfiniteNumbers) {
  const ColumnEncoding column(binned(), 0);
  std::vector<float> values(4);
  EXPECT_FALSE(write_features(column, FeatureStorage::expanded, &infinity, 1, values.data(), 1));
  EXPECT_FALSE(write_row(column, -infinity, values.data()));
}

}  // namespace
}  // namespace accrete::data::column_encoding_test
