#pragma once
// A small model of each task on generated rows.

#include <string>
#include <vector>

#include "report/model/labelled_rows.hpp"
#include "tests/boosting/mixed_table.hpp"

namespace accrete::report {

/// Columns a, b and colour, twenty units in ten steps.
struct Fitted {
  explicit Fitted(const std::string& kind, std::size_t rows = 400)
      : table(boosting::mixed_table(kind, rows)), model(fit(kind, table)), data(label(model, table)) {}

  static model::Model fit(const std::string& kind, const data::Table& table) {
    auto options = boosting::mixed_options(kind, {.units = 20, .units_per_step = 2});
    return boosting::fit(table, options).model;
  }
  static LabelledRows label(const model::Model& model, const data::Table& table) {
    const std::vector<std::size_t> columns{table.require("y")};
    return {model, table, data::read_target_as(table, columns, model.task, model.classes), {}};
  }

  Fitted(const Fitted&) = delete;  // data refers to the other members
  Fitted& operator=(const Fitted&) = delete;

  data::Table table;
  model::Model model;
  LabelledRows data;
};

}  // namespace accrete::report
