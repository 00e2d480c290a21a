#include "accrete/data/encoder.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "tests/data/columns.hpp"

namespace accrete::data::encoder_test {
namespace {

TEST(Encoder, StandardisesToMeanZeroAndPopulationSdOne) {
  core::Rng rng(1, 0, core::Purpose::generator);
  std::vector<float> values;
  for (int i = 0; i < 1000; ++i) values.push_back(static_cast<float>(1e4 + 3.0 * rng.normal()));
  const Table table{"t", {numeric("a", values)}};
  const auto encoded = column_of(fit_all(table).encode(table), 0);
  double sum = 0.0, squares = 0.0;
  for (const float x : encoded) sum += x, squares += x * x;
  EXPECT_NEAR(sum / 1000.0, 0.0, 1e-6);
  EXPECT_NEAR(squares / 1000.0, 1.0, 1e-6);
}

TEST(Encoder, LearnsMeanScaleAndGapFlag) {
  const Table table{"t", {numeric("a", {1, 2, 3, 4, missing})}};
  const Input input = fit_all(table).inputs()[0];
  EXPECT_DOUBLE_EQ(input.mean, 2.5);
  EXPECT_DOUBLE_EQ(input.scale, std::sqrt(1.25));
  EXPECT_TRUE(input.gap_flag);
}

TEST(Encoder, LearnsFromTheGivenRowsOnly) {
  const Table table{"t", {numeric("a", {1, 3, 1000, missing}), text("b", {"z", "y", "x"}, {0, 1, 2, -1})}};
  const std::size_t columns[] = {0, 1}, rows[] = {0, 1};
  const Encoder encoder = Encoder::fit(table, columns, {rows});
  EXPECT_DOUBLE_EQ(encoder.inputs()[0].mean, 2.0);
  EXPECT_DOUBLE_EQ(encoder.inputs()[0].scale, 1.0);
  EXPECT_FALSE(encoder.inputs()[0].gap_flag);
  EXPECT_EQ(encoder.inputs()[1].levels, (std::vector<std::string>{"y", "z"}));
  EXPECT_FALSE(encoder.inputs()[1].gap_flag);
  const auto encoded = encoder.encode(table);
  EXPECT_EQ(column_of(encoded, 0), (std::vector<float>{-1, 1, 998, 0}));
  EXPECT_EQ(column_of(encoded, 1), (std::vector<float>{-1, 1, -1, -1}));
  EXPECT_EQ(column_of(encoded, 2), (std::vector<float>{1, -1, -1, -1}));
}

TEST(Encoder, WeightsMeansDeviationsAndShares) {
  const Table table{"t", {numeric("a", {1, 3, missing, 1000}), text("b", {"z", "y", "x"}, {0, 1, -1, 2})}};
  const std::size_t columns[] = {0, 1}, rows[] = {0, 1, 2};
  const double weights[] = {1, 3, 2, 0};
  const Encoder encoder = Encoder::fit(table, columns, {rows, weights});
  EXPECT_DOUBLE_EQ(encoder.inputs()[0].mean, 2.5);
  EXPECT_DOUBLE_EQ(encoder.inputs()[0].scale, std::sqrt(0.75));
  EXPECT_EQ(encoder.inputs()[1].levels, (std::vector<std::string>{"y", "z"}));
  EXPECT_EQ(encoder.inputs()[1].shares, (std::vector<double>{0.5, 1.0 / 6.0}));
}

TEST(Encoder, EncodesAConstantColumnToZeroUnderAnyWeights) {
  const Table table{"t", {numeric("a", {0.1f, 0.1f, 0.1f, missing})}};
  const std::size_t columns[] = {0}, rows[] = {0, 1, 2, 3};
  const double weights[] = {0.3, 0.7, 1e-7, 1};
  const Encoder encoder = Encoder::fit(table, columns, {rows, weights});
  EXPECT_EQ(encoder.inputs()[0].mean, 0.1f);
  EXPECT_EQ(column_of(encoder.encode(table), 0), (std::vector<float>{0, 0, 0, 0}));
}

TEST(Encoder, StandardisesOneHotFeatures) {
  Table table{"t", {text("c", {"rare", "common", "half"}, {})}};
  for (int r = 0; r < 200; ++r) table.columns[0].codes.push_back(r == 0 ? 0 : r < 100 ? 1 : 2);
  const Encoder encoder = fit_all(table);
  EXPECT_EQ(encoder.inputs()[0].shares, (std::vector<double>{0.495, 0.5, 0.005}));
  const auto encoded = encoder.encode(table);
  for (std::size_t f = 0; f < 3; ++f) {
    double sum = 0.0, squares = 0.0;
    for (float x : column_of(encoded, f)) sum += x, squares += double(x) * x;
    EXPECT_NEAR(sum / 200.0, 0.0, 1e-6);
    EXPECT_NEAR(squares / 200.0, 1.0, 1e-6);
  }
}

TEST(Encoder, EncodesConstantAndEmptyColumnsToZero) {
  const Table table{
      "t", {numeric("c", {0.1f, 0.1f, 0.1f}), numeric("e", {missing, missing, missing}), text("n", {}, {-1, -1, -1})}};
  const Encoder encoder = fit_all(table);
  EXPECT_EQ(encoder.inputs()[1].mean, 0.0);
  EXPECT_EQ(encoder.feature_names(), (std::vector<std::string>{"c", "e", "n missing"}));
  const auto encoded = encoder.encode(table);
  EXPECT_EQ(column_of(encoded, 0), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(column_of(encoded, 1), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(column_of(encoded, 2), (std::vector<float>{1, 1, 1}));
}

TEST(Encoder, EncodesLaterValuesOfAConstantColumnToZero) {
  const Encoder encoder = fit_all(
      {"t", {numeric("c", {5, 5, 5}), numeric("e", {missing, missing, missing}), text("s", {"only"}, {0, 0, 0})}});
  const auto encoded = encoder.encode({"u",
                                       {numeric("c", {6, 1e4f, missing}), numeric("e", {-3, 1e6f, missing}),
                                        text("s", {"other", "only"}, {0, 1, -1})}});
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t f = 0; f < encoder.features(); ++f) EXPECT_LT(std::abs(encoded.at(r, f)), 1e-15f) << r << ' ' << f;
}

TEST(Encoder, NamesOneHotFeaturesAndGapFlags) {
  const Table table{"t", {text("colour", {"red", "blue"}, {0, 1, -1, 0}), numeric("age", {1, missing, 1, 1})}};
  const Encoder encoder = fit_all(table, {.standardise = false});
  EXPECT_EQ(encoder.features(), 5u);
  EXPECT_EQ(encoder.feature_names(),
            (std::vector<std::string>{"colour=blue", "colour=red", "colour missing", "age", "age missing"}));
  const auto encoded = encoder.encode(table);
  EXPECT_EQ(column_of(encoded, 0), (std::vector<float>{0, 1, 0, 0}));
  EXPECT_EQ(column_of(encoded, 1), (std::vector<float>{1, 0, 0, 1}));
  EXPECT_EQ(column_of(encoded, 2), (std::vector<float>{0, 0, 1, 0}));
  EXPECT_EQ(column_of(encoded, 4), (std::vector<float>{0, 1, 0, 0}));
}

TEST(Encoder, EncodesAnUnseenLevelAsNoLevelAndNotMissing) {
  const Encoder encoder = fit_all({"t", {text("c", {"a", "b"}, {0, 1, -1})}}, {.standardise = false});
  const auto encoded = encoder.encode({"u", {text("c", {"new", "b"}, {0, 1})}});
  EXPECT_EQ(column_of(encoded, 0), (std::vector<float>{0, 0}));
  EXPECT_EQ(column_of(encoded, 1), (std::vector<float>{0, 1}));
  EXPECT_EQ(column_of(encoded, 2), (std::vector<float>{0, 0}));
}

TEST(Encoder, KeepsTheUnitsWithoutStandardisation) {
  const Table table{"t", {numeric("a", {5, 7, missing})}};
  EXPECT_EQ(column_of(fit_all(table, {.standardise = false}).encode(table), 0), (std::vector<float>{5, 7, 0}));
}

TEST(Encoder, EncodesBinsAsStandardisedRamps) {
  const Table table{"t",
                    {numeric("age", {1, 2, 3, 4, 5, 6, 7, 8, missing}), numeric("sex", {0, 1, 0, 1, 0, 1, 0, 1, 0})}};
  const Encoder raw = fit_all(table, {.standardise = false, .bins = 2});
  EXPECT_EQ(raw.feature_names(), (std::vector<std::string>{"age", "age 1..4", "age 4..8", "age missing", "sex"}));
  const auto parts = raw.encode({"u", {numeric("age", {-9, 1, 2.5, 5, 8, 99, missing}), numeric("sex", Floats(7))}});
  EXPECT_EQ(column_of(parts, 1), (Floats{0, 0, 0.5f, 1, 1, 1, 0}));
  EXPECT_EQ(column_of(parts, 2), (Floats{0, 0, 0, 0.25f, 1, 1, 0}));
  EXPECT_EQ(column_of(parts, 3), (Floats{0, 0, 0, 0, 0, 0, 1}));

  const Encoder encoder = fit_all(table, {.bins = 2});
  EXPECT_EQ(encoder.inputs()[0].mean, fit_all(table).inputs()[0].mean);
  EXPECT_EQ(encoder.inputs()[1], fit_all(table).inputs()[1]) << "two distinct values need no bins";
  const auto encoded = encoder.encode(table);
  for (std::size_t f = 0; f < 3; ++f) {
    double sum = 0.0, squares = 0.0;
    for (const float x : column_of(encoded, f)) sum += x, squares += double{x} * x;
    EXPECT_NEAR(sum, 0.0, 1e-6) << f;
    EXPECT_NEAR(squares / 8.0, 1.0, 1e-6) << f;
    EXPECT_EQ(encoded.at(8, f), 0.0f) << "a missing value becomes the mean";
  }
}

TEST(Encoder, RejectsInputsWithUnusableMeanOrScale) {
  for (const double scale : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    Input input;
    input.scale = scale;
    EXPECT_THROW(Encoder({input}), core::DataError) << scale;
  }
  Input input;
  input.mean = HUGE_VAL;
  EXPECT_THROW(Encoder({input}), core::DataError);
}

}  // namespace
}  // namespace accrete::data::encoder_test
