// Interaction constraints: columns of different groups never act together, at any prefix.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "accrete/core/error.hpp"
#include "tests/boosting/constrained_table.hpp"
#include "tests/thrown_message.hpp"
#include "tests/tune/cpu_device.hpp"

namespace accrete::boosting::interactions_test {
namespace {

const config::Interactions additive{.additive = true};
const config::Interactions grouped{.groups = {{"a", "c"}, {"b", "colour"}}};  // d is alone
const config::Interactions overlapping{.groups = {{"a", "b"}, {"b", "c"}}};   // d and colour are together

/// The columns that each unit reads.
std::vector<std::set<std::string>> columns_of_units(const model::Model& model) {
  const network::Network& network = model.network;
  std::vector<std::set<std::string>> all(network.units());
  for (std::size_t j = 0; j < network.units(); ++j)
    for (std::size_t c = 0; c < model.encoder.columns().size(); ++c) {
      const data::ColumnEncoding& column = model.encoder.columns()[c];
      for (std::size_t f = column.first(); f < column.first() + column.width(); ++f)
        if (network.hidden_weights()[j * network.features() + f] != 0.0f) all[j].insert(model.encoder.inputs()[c].name);
    }
  return all;
}

/// Every unit reads columns of one of the groups, and every group has a unit.
void expect_groups(const model::Model& model, const std::vector<std::set<std::string>>& groups) {
  std::set<std::size_t> found;
  for (const auto& columns : columns_of_units(model)) {
    const auto is_within = [&](const auto& group) { return std::ranges::includes(group, columns); };
    const auto at = std::ranges::find_if(groups, is_within);
    ASSERT_NE(at, groups.end());
    if (!columns.empty()) found.insert(static_cast<std::size_t>(at - groups.begin()));
  }
  EXPECT_EQ(found.size(), groups.size());
}

const std::vector<std::set<std::string>> alone{{"a"}, {"b"}, {"c"}, {"colour"}, {"d"}};
const std::vector<std::set<std::string>> in_groups{{"a", "c"}, {"b", "colour"}, {"d"}};

/// The largest mixed second difference of the score between two columns, over pairs of rows and all prefixes, as a
/// share of the range of scores.
double largest_interaction(const model::Model& model, const data::Table& table, std::size_t one, std::size_t other) {
  data::Table swapped[4] = {table, table, table, table};
  const std::size_t rows = table.rows();
  const auto take_next = [&](data::Column& column, const data::Column& from) {
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t next = (r + 1) % rows;
      if (column.kind == data::Column::Kind::numeric) column.numbers[r] = from.numbers[next];
      if (column.kind == data::Column::Kind::text) column.codes[r] = from.codes[next];
    }
  };
  for (const std::size_t t : {1, 3}) take_next(swapped[t].columns[one], table.columns[one]);
  for (const std::size_t t : {2, 3}) take_next(swapped[t].columns[other], table.columns[other]);
  std::vector<core::Matrix<double>> scores[4];
  for (std::size_t t = 0; t < 4; ++t) scores[t] = prefix_scores(model, swapped[t]);
  double worst = 0.0;
  for (std::size_t s = 1; s < scores[0].size(); ++s) {
    const auto at = [&](std::size_t t, std::size_t i) { return scores[t][s].flat()[i]; };
    const auto range = std::ranges::minmax(scores[0][s].flat());
    for (std::size_t i = 0; i < scores[0][s].flat().size(); ++i)
      worst = std::max(worst, std::abs(at(0, i) - at(1, i) - at(2, i) + at(3, i)) / (range.max - range.min));
  }
  return worst;
}

TEST(Interactions, StayWithinTheirGroupsForEveryTaskAndEncoding) {
  struct Case {
    const char *kind, *objective;
    std::uint64_t bins;
  };
  for (const Case& c : {Case{"number", "projected", 0}, Case{"number", "residual", 8}, Case{"number", "projected", 64},
                        Case{"pair", "projected", 8}, Case{"binary", "direct", 8}, Case{"three", "direct", 0},
                        Case{"three", "projected", 8}, Case{"three", "direct", 64}, Case{"count", "auto", 8}})
    for (const bool is_additive : {true, false}) {
      SCOPED_TRACE(std::string(c.kind) + " " + c.objective + " " + std::to_string(c.bins));
      const data::Table table = constrained_table(c.kind, 150);
      const auto options =
          constrained_options(c.kind, {.units = 24,
                                       .learning_rate = 0.5,
                                       .bins = c.bins,
                                       .loss = std::string_view(c.kind) == "count" ? "poisson" : "auto",
                                       .objective = c.objective,
                                       .max_iter = 20,
                                       .interactions = is_additive ? additive : grouped,
                                       .automatic = false});
      const auto result = fit(table, options);
      expect_groups(result.model, is_additive ? alone : in_groups);
      EXPECT_LT(result.model.provenance.train_loss.back(), 0.97 * result.model.provenance.train_loss.front());
      EXPECT_LT(largest_interaction(result.model, table, 1, 2), 1e-5) << "b and c";
      EXPECT_LT(largest_interaction(result.model, table, 0, 4), 1e-5) << "a and colour";
      const double within = largest_interaction(result.model, table, 0, 2);
      if (is_additive)
        EXPECT_LT(within, 1e-5) << "a and c";
      else
        EXPECT_GT(within, 1e-3) << "a and c";
    }
}

TEST(Interactions, OfAnAdditiveModelSumFunctionsOfOneColumn) {
  const data::Table table = constrained_table("number", 150);
  const auto result =
      fit(table, constrained_options(
                     "number", {.units = 40, .bins = 8, .max_iter = 20, .interactions = additive, .automatic = false}));
  // score(row) - score(base) is the sum over columns of the change of that column alone.
  const auto base_with = [&](std::size_t row, std::vector<std::size_t> columns) {
    data::Table one = table;
    for (std::size_t c = 0; c < one.columns.size(); ++c) {
      const bool taken = std::ranges::find(columns, c) != columns.end();
      if (!one.columns[c].numbers.empty()) one.columns[c].numbers[0] = table.columns[c].numbers[taken ? row : 0];
      if (!one.columns[c].codes.empty()) one.columns[c].codes[0] = table.columns[c].codes[taken ? row : 0];
    }
    return prefix_scores(result.model, one).back()(0, 0);
  };
  const double base = base_with(0, {});
  for (std::size_t row = 1; row < 20; ++row) {
    double sum = 0.0;
    for (std::size_t c = 0; c < 5; ++c) sum += base_with(row, {c}) - base;
    EXPECT_NEAR(sum, base_with(row, {0, 1, 2, 3, 4}) - base, 1e-5);
  }
}

TEST(Interactions, GiveEveryColumnEqualAttention) {
  const data::Table table = constrained_table("number", 100);
  for (const std::uint64_t per_step : {1, 2, 4, 7}) {
    const auto result = fit(
        table,
        constrained_options(
            "number",
            {.units = 140, .units_per_step = per_step, .max_iter = 1, .interactions = additive, .automatic = false}));
    std::map<std::string, std::size_t> units;
    for (const auto& columns : columns_of_units(result.model))
      for (const std::string& column : columns) ++units[column];
    for (const auto& [column, count] : units) EXPECT_EQ(count, 28u) << column << ", units per step " << per_step;
  }
}

TEST(Interactions, MayOverlap) {
  const data::Table table = constrained_table("number", 150);
  const auto result = fit(
      table,
      constrained_options("number", {.units = 40, .max_iter = 20, .interactions = overlapping, .automatic = false}));
  expect_groups(result.model, {{"a", "b"}, {"b", "c"}, {"colour", "d"}});
  EXPECT_LT(largest_interaction(result.model, table, 0, 2), 1e-5) << "a and c";
  EXPECT_GT(largest_interaction(result.model, table, 0, 1), 1e-3) << "a and b";
}

TEST(Interactions, HoldForEverySolverAndPreset) {
  for (const char* solver : {"lbfgs", "adam", "sgd"}) {
    const auto result =
        fit(constrained_table("three", 100),
            constrained_options(
                "three", {.units = 20, .solver = solver, .max_iter = 10, .interactions = grouped, .automatic = false}));
    expect_groups(result.model, in_groups);
  }
  for (const char* preset : {"default", "fast", "paper"}) {
    SCOPED_TRACE(preset);
    const auto result =
        fit(constrained_table("number", 100),
            constrained_options("number", {.units = 40, .max_iter = 10, .interactions = grouped}, preset));
    if (result.model.network.units() > 0) expect_groups(result.model, in_groups);
  }
}

TEST(Interactions, GoWithMonotoneColumns) {
  const data::Table table = constrained_table("binary", 150);
  const auto result = fit(table, constrained_options("binary", {.units = 40,
                                                                .bins = 8,
                                                                .max_iter = 30,
                                                                .monotone = config::Monotone{{"a", true}},
                                                                .interactions = additive,
                                                                .automatic = false}));
  expect_groups(result.model, alone);
  EXPECT_LT(largest_interaction(result.model, table, 0, 1), 1e-5);
  const data::Table sweep = swept(table, "a", 20, 80);
  for (const auto& scores : prefix_scores(result.model, sweep)) EXPECT_EQ(largest_violation(scores, 0, 1.0, 80), 0.0);
}

TEST(Interactions, GrowToTheSameBits) {
  const data::Table table = constrained_table("number", 120);
  config::Config config{.units = 16, .interactions = grouped, .automatic = false};
  const auto whole = fit(table, constrained_options("number", config)).model;
  config.units = 8;
  const auto half = fit(table, constrained_options("number", config)).model;
  const auto grown = grow(half, table, {.config = {.units = 16}}).model;
  EXPECT_TRUE(std::ranges::equal(grown.network.hidden_weights(), whole.network.hidden_weights()));
  EXPECT_EQ(
      thrown_message<core::UsageError>([&] { grow(half, table, {.config = {.units = 16, .interactions = additive}}); }),
      "the model was made with interactions a,c;b,colour, which cannot change when it grows");
}

TEST(Interactions, TakeTheDatePartsAsOneColumn) {
  data::Table table = constrained_table("number", 100);
  for (const std::size_t c : {2, 3}) table.columns[c].format = {.order = data::DateOrder::ymd, .column = "when"};
  const auto columns = [&](const config::Interactions& interactions) {
    return columns_of_units(
        fit(table, constrained_options("number",
                                       {.units = 40, .max_iter = 10, .interactions = interactions, .automatic = false}))
            .model);
  };
  const std::set<std::string> parts{"c", "d"};
  const auto units = columns(additive);
  EXPECT_NE(std::ranges::find(units, parts), units.end());
  for (const auto& unit : columns({.groups = {{"a", "when"}}}))
    EXPECT_FALSE(unit.contains("c") && unit.contains("b")) << "b is in the other group";
}

TEST(Interactions, RefuseUnknownColumnsAndDevices) {
  const data::Table table = constrained_table("number", 60);
  FitOptions options =
      constrained_options("number", {.interactions = config::Interactions{.groups = {{"a", "color"}}}});
  EXPECT_EQ(thrown_message<core::UsageError>([&] { fit(table, options); }),
            "interactions names the column 'color', which the model does not read; did you mean 'colour'?");
  tune::CpuDevice device;
  options = constrained_options("number", {.interactions = additive});
  options.device = &device;
  EXPECT_EQ(thrown_message<core::UsageError>([&] { fit(table, options); }),
            "device toy: monotone and interaction constraints run on the CPU only; use device cpu");
}

}  // namespace
}  // namespace accrete::boosting::interactions_test
