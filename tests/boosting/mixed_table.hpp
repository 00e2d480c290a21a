#pragma once
// Tables with every kind of cell, for tests of rows and weights.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "accrete/boosting/fit.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/table.hpp"
#include "tests/config/with_defaults.hpp"

namespace accrete::boosting {

inline data::Task task_of(const std::string& kind) {
  return kind == "binary" ? data::Task::binary : kind == "three" ? data::Task::multiclass : data::Task::regression;
}

/// Columns a (numbers), b (numbers with missing values), colour (text with missing values), w (weights 0 .. 3), y (the
/// target of this kind, "binary" and "three" as text, else "number"). There are few distinct values, so some rows are
/// equal.
inline data::Table mixed_table(const std::string& kind, std::size_t rows, std::uint64_t seed = 1) {
  using Kind = data::Column::Kind;
  core::Rng rng(seed, rows, core::Purpose::generator);
  const bool classes = kind != "number";
  data::Table table{"made up",
                    {{.name = "a"},
                     {.name = "b"},
                     {.name = "colour", .kind = Kind::text, .levels = {"red", "green", "blue"}},
                     {.name = "w"},
                     {.name = "y", .kind = classes ? Kind::text : Kind::numeric, .levels = {"low", "high", "middle"}}}};
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = std::round(4.0 * rng.normal()) / 4.0, b = std::round(2.0 * rng.normal()) / 2.0;
    const auto colour = static_cast<std::int32_t>(rng.below(4)) - 1;
    const double z = a * b + (colour == 0 ? 1.0 : 0.0) + 0.5 * static_cast<double>(rng.below(2));
    table.columns[0].numbers.push_back(static_cast<float>(a));
    table.columns[1].numbers.push_back(rng.below(9) == 0 ? NAN : static_cast<float>(b));
    table.columns[2].codes.push_back(colour);
    table.columns[3].numbers.push_back(static_cast<float>(rng.below(4)));
    if (kind == "number")
      table.columns[4].numbers.push_back(static_cast<float>(z));
    else
      table.columns[4].codes.push_back(kind == "binary" ? z > 0.3 : z < 0.0 ? 0 : z < 0.7 ? 2 : 1);
  }
  return table;
}

/// The listed rows. Levels are in order of appearance, as if read from a file.
inline data::Table rows_of(const data::Table& table, const std::vector<std::size_t>& rows) {
  data::Table part{table.source, {}};
  for (const data::Column& from : table.columns) {
    data::Column column{from.name, from.kind, {}, {}, {}};
    for (const std::size_t r : rows) {
      if (from.kind == data::Column::Kind::numeric) {
        column.numbers.push_back(from.numbers[r]);
        continue;
      }
      if (from.codes[r] < 0) {
        column.codes.push_back(-1);
        continue;
      }
      const std::string& text = from.levels[static_cast<std::size_t>(from.codes[r])];
      const auto at = std::find(column.levels.begin(), column.levels.end(), text) - column.levels.begin();
      if (at == std::ssize(column.levels)) column.levels.push_back(text);
      column.codes.push_back(static_cast<std::int32_t>(at));
    }
    part.columns.push_back(std::move(column));
  }
  return part;
}

inline FitOptions mixed_options(const std::string& kind, const config::Config& more = {}) {
  FitOptions options;
  options.targets = {"y"};
  options.task = task_of(kind);
  options.weight_column = "w";
  options.config = with_defaults(more, {.units = 16, .automatic = false});
  return options;
}

}  // namespace accrete::boosting
