#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "accrete/boosting/encode.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/core/mapped.hpp"
#include "accrete/core/random.hpp"
#include "tests/boosting/samples.hpp"

namespace accrete::boosting::encode_test {
namespace {

/// Numbers with missing values, a category, weights and a binary target; more than one block of rows.
data::Table make_table(std::size_t rows) {
  core::Rng rng(4, rows, core::Purpose::generator);
  data::Table table{"made up", std::vector<data::Column>(5)};
  const char* names[] = {"target", "a", "weight", "b", "kind"};
  for (std::size_t c = 0; c < 5; ++c) table.columns[c].name = names[c];
  for (const std::size_t c : {std::size_t{0}, std::size_t{4}}) {
    table.columns[c].kind = data::Column::Kind::text;
    table.columns[c].levels = {"no", "yes"};
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = rng.normal(), b = rng.normal();
    table.columns[1].numbers.push_back(static_cast<float>(a));
    table.columns[2].numbers.push_back(static_cast<float>(1 + rng.below(3)));
    table.columns[3].numbers.push_back(r % 50 == 7 ? NAN : static_cast<float>(b));
    table.columns[4].codes.push_back(static_cast<std::int32_t>(rng.below(3)) - 1);
    table.columns[0].codes.push_back(a * b > 0.2 ? 1 : 0);
  }
  return table;
}

void expect_same(const FitResult& found, const FitResult& wanted) {
  EXPECT_TRUE(same(found.model.network, wanted.model.network));
  EXPECT_EQ(found.model.encoder.inputs(), wanted.model.encoder.inputs());
  EXPECT_EQ(found.model.provenance.data_fingerprint, wanted.model.provenance.data_fingerprint);
  EXPECT_EQ(found.model.provenance.train_loss, wanted.model.provenance.train_loss);
  EXPECT_EQ(found.model.provenance.validation_loss, wanted.model.provenance.validation_loss);
  EXPECT_EQ(found.task_reason, wanted.task_reason);
  EXPECT_EQ(found.notes, wanted.notes);
}

/// The table with the numbers of every column mapped from a file.
data::Table in_files(const data::Table& table) {
  data::Table mapped = table;
  for (data::Column& column : mapped.columns) {
    core::FloatColumn numbers = core::mapped_column(column.numbers.size());
    std::ranges::copy(column.numbers, numbers.begin());
    column.numbers = std::move(numbers);
  }
  return mapped;
}

TEST(MappedTables, GiveTheModelOfATableInMemory) {
  data::Table table = make_table(70'000);
  data::Column& many = table.columns.emplace_back(data::Column{.name = "many", .kind = data::Column::Kind::text});
  for (int level = 0; level < 64; ++level) many.levels.push_back("level " + std::to_string(level));
  for (std::int32_t r = 0; r < 70'000; ++r) many.codes.push_back(r % 64);
  core::Workers workers(2);
  FitOptions options;
  options.targets = {"target"};
  options.weight_column = "weight";
  options.workers = &workers;
  options.config = {.units = 4, .units_per_step = 2, .max_iter = 4};
  const FitResult in_memory = fit(table, options);
  const core::FreeMemoryOverride none(0);  // the features, 70 of 70,000 rows, are mapped too
  data::Table mapped = in_files(table);
  EXPECT_TRUE(mapped.columns[1].numbers.is_mapped());
  expect_same(fit(mapped, options), in_memory);
  expect_same(fit(std::move(mapped), options), in_memory);
}

TEST(ConsumedTable, GivesTheModelOfAKeptTable) {
  const data::Table table = make_table(70'000);
  core::Workers workers(2);
  FitOptions options;
  options.targets = {"target"};
  options.weight_column = "weight";
  options.workers = &workers;
  for (const double fraction : {0.0, 0.4})
    for (const bool balanced : {false, true}) {
      options.config = {.units = 4,
                        .units_per_step = 2,
                        .bins = balanced ? 3 : 0,
                        .max_iter = 4,
                        .class_weight = config::ClassWeights{.balanced = balanced},
                        .validation_fraction = fraction};
      const FitResult kept = fit(table, options);
      data::Table mine = table;
      expect_same(fit(std::move(mine), options), kept);
      FitOptions more = options;
      more.config = {.units = 6};
      mine = table;
      expect_same(grow(kept.model, std::move(mine), more), grow(kept.model, table, more));
    }
  EXPECT_EQ(table.rows(), 70'000u);
}

TEST(ConsumedTable, WorksWithARowSubsetAndAValidationTable) {
  const data::Table table = make_table(3000), validation = make_table(700);
  FitOptions options;
  options.targets = {"target"};
  options.validation = &validation;
  options.config = {.units = 4, .units_per_step = 2, .max_iter = 4};
  for (std::size_t r = 3000; r-- > 1000;) options.rows.push_back(r);
  data::Table mine = table;
  expect_same(fit(std::move(mine), options), fit(table, options));
}

}  // namespace
}  // namespace accrete::boosting::encode_test
