#pragma once
// Random models and tables with bins, categories, gap flags and missing values.

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "accrete/core/random.hpp"
#include "accrete/model/model.hpp"
#include "tests/network/random_network.hpp"

namespace accrete::model {

/// Numbers: plain, plain with a gap flag, 40 bins, 17 bins with a gap flag, constant with a large mean. Categories: 3
/// levels, 30 levels with a gap flag, no levels, no levels with a gap flag.
inline std::vector<data::Input> mixed_inputs() {
  using data::Column;
  std::vector<data::Input> inputs{{.name = "plain", .mean = 1e6, .scale = 2.0},
                                  {.name = "flagged", .mean = -3.0, .scale = 0.5, .gap_flag = true},
                                  {.name = "binned", .mean = 10.0, .scale = 3.0},
                                  {.name = "binned flagged", .mean = 0.5, .scale = 1.0, .gap_flag = true},
                                  {.name = "constant", .mean = 7.0, .scale = data::no_spread},
                                  {.name = "few", .kind = Column::Kind::text},
                                  {.name = "many", .kind = Column::Kind::text, .gap_flag = true},
                                  {.name = "empty", .kind = Column::Kind::text},
                                  {.name = "empty flagged", .kind = Column::Kind::text, .gap_flag = true}};
  for (const auto& [column, bins] : {std::pair{2u, 40u}, {3u, 17u}}) {
    data::Input& input = inputs[column];
    for (unsigned j = 0; j <= bins; ++j) {
      const double share = double(j) / bins - 0.5;
      input.knots.push_back(static_cast<float>(input.mean + input.scale * 4.0 * share * (1.0 + share * share)));
      if (j > 0) input.bin_means.push_back(1.0 - double(j) / (bins + 1)), input.bin_scales.push_back(0.2 + 0.3 / j);
    }
  }
  for (const auto& [column, levels] : {std::pair{5u, 3u}, {6u, 30u}})
    for (unsigned l = 0; l < levels; ++l) {
      inputs[column].levels.push_back("level" + std::to_string(l));
      inputs[column].shares.push_back(1.0 / levels);
    }
  return inputs;
}

/// Predictions are the scores.
inline Model mixed_model(std::size_t outputs, const char* activation) {
  Model model;
  model.task = data::Task::regression;
  model.loss = loss::Loss::named("squared");
  model.target_shift.assign(outputs, 0.0);
  model.target_scale.assign(outputs, 1.0);
  model.encoder = data::Encoder(mixed_inputs());
  model.network = network::random_network(model.encoder.features(), outputs, 53, activation);
  return model;
}

/// Numbers within, at, between and far outside the knots; seen and unseen levels; a fifth of the cells is missing.
inline data::Table mixed_rows(std::size_t rows) {
  core::Rng rng(9, rows, core::Purpose::generator);
  data::Table table;
  for (const data::Input& input : mixed_inputs()) {
    data::Column column{.name = input.name, .kind = input.kind, .numbers = {}, .codes = {}, .levels = {}};
    const bool numeric = input.kind == data::Column::Kind::numeric;
    if (!numeric) column.levels = input.levels, column.levels.push_back("unseen");
    for (std::size_t r = 0; r < rows; ++r) {
      const bool missing = rng.uniform() < 0.2;
      const double draw = rng.normal() * (rng.uniform() < 0.1 ? 10.0 : 1.0), place = rng.uniform();
      const double scale = input.scale == data::no_spread ? 1.0 : input.scale;
      float x = static_cast<float>(input.mean + scale * draw);
      if (!input.knots.empty() && rng.uniform() < 0.2)
        x = input.knots[static_cast<std::size_t>(place * double(input.knots.size()))];
      if (numeric)
        column.numbers.push_back(missing ? std::numeric_limits<float>::quiet_NaN() : x);
      else
        column.codes.push_back(missing ? -1 : static_cast<std::int32_t>(place * double(column.levels.size())));
    }
    table.columns.push_back(std::move(column));
  }
  return table;
}

/// One row as predict_row takes it.
inline std::vector<float> raw_row(const data::Table& table, std::size_t row) {
  std::vector<float> raw;
  for (const data::Column& column : table.columns) {
    if (column.kind == data::Column::Kind::numeric)
      raw.push_back(column.numbers[row]);
    else if (column.codes[row] < 0)
      raw.push_back(std::numeric_limits<float>::quiet_NaN());
    else
      raw.push_back(static_cast<float>(column.codes[row]));  // the unseen level comes after all others
  }
  return raw;
}

}  // namespace accrete::model
