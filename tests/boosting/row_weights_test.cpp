// Weights by class and by group: the fit of the same sample weights, and refusals.

#include "accrete/boosting/rows/row_weights.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "accrete/core/error.hpp"
#include "tests/boosting/mixed_table.hpp"
#include "tests/boosting/samples.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::boosting::row_weights_test {
namespace {

std::string cell(const data::Table& table, std::size_t column, std::size_t row) {
  const std::int32_t code = table.columns[column].codes[row];
  return code < 0 ? "" : table.columns[column].levels[static_cast<std::size_t>(code)];
}

/// The table with the weights in its column w multiplied by those of each row's text in a column.
data::Table weighted_by(data::Table table, std::size_t column, std::map<std::string, double> weights) {
  for (std::size_t r = 0; r < table.rows(); ++r)
    if (const auto at = weights.find(cell(table, column, r)); at != weights.end())
      table.columns[3].numbers[r] = static_cast<float>(table.columns[3].numbers[r] * at->second);
  return table;
}

void expect_same_fit(const data::Table& table, const FitOptions& options, const data::Table& weighted,
                     const FitOptions& plain) {
  const FitResult a = fit(table, options), b = fit(weighted, plain);
  EXPECT_TRUE(same(a.model.network, b.model.network));
  EXPECT_EQ(a.model.encoder.inputs(), b.model.encoder.inputs());
  EXPECT_EQ(a.model.provenance.data_fingerprint, b.model.provenance.data_fingerprint);
  FitOptions more = plain;
  more.config = {.units = 24};
  const FitResult c = grow(a.model, table, more), d = grow(b.model, weighted, more);
  EXPECT_TRUE(same(c.model.network, d.model.network)) << "grown";
  EXPECT_TRUE(c.notes.empty()) << "the recorded weights apply to the rows that a model grows on";
}

const std::vector<config::Config> ways{{.max_iter = 4},
                                       {.bins = 5, .max_iter = 4},
                                       {.subsample = 0.6, .max_iter = 4},
                                       {.max_iter = 4, .validation_fraction = 0.3}};

TEST(ClassWeights, GiveTheFitOfTheSameSampleWeights) {
  for (const char* kind : {"binary", "three"})
    for (std::size_t way = 0; way < ways.size(); ++way) {
      SCOPED_TRACE(kind + std::to_string(way));
      const data::Table table = mixed_table(kind, 200);
      FitOptions options = mixed_options(kind, ways[way]);
      options.config.class_weight = config::ClassWeights{.named = {{"high", 4.0}, {"low", 0.5}}};
      expect_same_fit(table, options, weighted_by(table, 4, {{"high", 4.0}, {"low", 0.5}}),
                      mixed_options(kind, ways[way]));
    }
}

TEST(GroupWeights, GiveTheFitOfTheSameSampleWeights) {
  for (const char* kind : {"binary", "three", "number"})
    for (std::size_t way = 0; way < ways.size(); ++way) {
      SCOPED_TRACE(kind + std::to_string(way));
      const data::Table table = mixed_table(kind, 200);
      FitOptions options = mixed_options(kind, ways[way]);
      options.config.group_weight = config::GroupWeights{.column = "colour", .named = {{"red", 4.0}, {"blue", 0.5}}};
      expect_same_fit(table, options, weighted_by(table, 2, {{"red", 4.0}, {"blue", 0.5}}),
                      mixed_options(kind, ways[way]));
    }
}

TEST(RowWeights, AreRoundedAsSampleWeightsAre) {
  const data::Table table = mixed_table("binary", 200);
  const auto set = [](data::Table of, float weight) {
    std::ranges::fill(of.columns[3].numbers, weight);
    return of;
  };
  for (const double weight : {0.1, 1.0 / 3.0, 1.2345}) {
    SCOPED_TRACE(weight);
    FitOptions options = mixed_options("binary", ways[0]);
    options.config.class_weight = config::ClassWeights{.named = {{"high", weight}}};
    expect_same_fit(set(table, 1.0f), options, weighted_by(set(table, 1.0f), 4, {{"high", weight}}),
                    mixed_options("binary", ways[0]));
    options.config.class_weight = {};
    options.config.group_weight = config::GroupWeights{.column = "colour", .named = {{"red", weight}}};
    expect_same_fit(table, options, weighted_by(table, 2, {{"red", weight}}), mixed_options("binary", ways[0]));
  }
  FitOptions options = mixed_options("binary", ways[0]);
  options.config.class_weight = config::ClassWeights{.named = {{"high", 1e30}}};
  EXPECT_NE(thrown_message<core::DataError>([&] { fit(set(table, 1e20f), options); }).find("divide the weights"),
            std::string::npos);
}

TEST(GroupWeights, MultiplyWithThoseOfClasses) {
  const data::Table table = mixed_table("binary", 200);
  FitOptions options = mixed_options("binary", ways[0]);
  options.config.class_weight = config::ClassWeights{.named = {{"high", 4.0}}};
  options.config.group_weight = config::GroupWeights{.column = "colour", .named = {{"red", 2.0}}};
  expect_same_fit(table, options, weighted_by(weighted_by(table, 4, {{"high", 4.0}}), 2, {{"red", 2.0}}),
                  mixed_options("binary", ways[0]));
}

/// Total weight of each colour over the rows, after weigh_rows.
std::map<std::string, double> totals_by_colour(const data::Table& table, const FitOptions& options,
                                               std::span<const std::size_t> rows) {
  PreparedFit prepared;
  TrainingTable read = read_table({table}, options, prepared);
  weigh_rows(read, rows, prepared);
  std::map<std::string, double> totals;
  for (const std::size_t r : rows) totals[cell(table, 2, r)] += read.weights[r];
  return totals;
}

TEST(GroupWeights, BalanceTheGroupsOfTheFittedRows) {
  const data::Table table = mixed_table("number", 300);
  FitOptions options = mixed_options("number");
  options.config.group_weight = config::GroupWeights{.column = "colour"};
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < 100; ++r) rows.push_back(r);
  const auto totals = totals_by_colour(table, options, rows);
  ASSERT_EQ(totals.size(), 4u) << "missing values are a group";
  double all = 0.0;
  for (const std::size_t r : rows) all += table.columns[3].numbers[r];
  for (const auto& [colour, total] : totals) EXPECT_NEAR(total, all / 4.0, 1e-9 * all) << colour;
}

TEST(GroupWeights, TakeNumbersAsGroups) {
  data::Table table = mixed_table("number", 200), weighted = table;
  for (std::size_t r = 0; r < 200; ++r)
    if (table.columns[1].numbers[r] == 0.5f) weighted.columns[3].numbers[r] *= 8.0f;
  FitOptions options = mixed_options("number", ways[0]);
  options.config.group_weight = config::GroupWeights{.column = "b", .named = {{"0.50", 8.0}}};
  expect_same_fit(table, options, weighted, mixed_options("number", ways[0]));
}

TEST(GroupWeights, MayBeOfAColumnThatIsNoInput) {
  const data::Table table = mixed_table("number", 200);
  data::Table narrow = weighted_by(table, 2, {{"red", 4.0}});
  narrow.columns.erase(narrow.columns.begin() + 2);
  FitOptions options = mixed_options("number", ways[0]);
  options.config.group_weight = config::GroupWeights{.column = "colour", .named = {{"red", 4.0}}};
  options.ignore = {"colour"};
  expect_same_fit(table, options, narrow, mixed_options("number", ways[0]));
}

std::string refusal(const char* kind, const config::Config& config) {
  return thrown_message<core::UsageError>([&] { fit(mixed_table(kind, 100), mixed_options(kind, config)); });
}

TEST(RowWeights, AreRefusedWithTheNamesThereAre) {
  const auto classes = [](std::vector<config::NamedWeight> named) {
    return refusal("three", {.class_weight = config::ClassWeights{.named = std::move(named)}});
  };
  EXPECT_EQ(classes({{"hihg", 2.0}}),
            "class_weight: the class 'hihg' is unknown; allowed: high, low, middle; did you mean 'high'?");
  EXPECT_EQ(classes({{"low", 2.0}, {"low", 2.0}}), "class_weight: the class 'low' is named twice");
  for (const double weight : {0.0, -1.0, 1e31, std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_EQ(classes({{"low", weight}}), fmt::format("class_weight: the class 'low' has the weight {}, which must be "
                                                      "above 0 and at most 1e+30",
                                                      weight));
  EXPECT_EQ(refusal("number", {.class_weight = config::ClassWeights{.named = {{"a", 1.0}}}}),
            "class_weight needs classes, but this is a regression task; leave it out");
  const auto groups = [](config::GroupWeights weights) { return refusal("number", {.group_weight = weights}); };
  EXPECT_EQ(groups({.column = "color"}),
            "group_weight names the column 'color', which made up does not have; did you mean 'colour'?");
  EXPECT_EQ(groups({.column = "colour", .named = {{"mauve", 2.0}}}),
            "group_weight: the value 'mauve' is unknown; allowed: red, green, blue");
}

}  // namespace
}  // namespace accrete::boosting::row_weights_test
