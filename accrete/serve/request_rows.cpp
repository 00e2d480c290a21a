#include "accrete/serve/request_rows.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "accrete/boosting/read.hpp"
#include "accrete/core/suggest.hpp"
#include "accrete/data/column_index.hpp"
#include "accrete/data/column_reader.hpp"
#include "accrete/data/encoder/level_numbers.hpp"
#include "accrete/data/recognise.hpp"
#include "accrete/serve/request_error.hpp"

namespace accrete::serve {
namespace {

/// As cells of a CSV file: line ends belong to the text.
std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

data::Column text_column(const Tensor& tensor) {
  data::Column column{.name = tensor.name, .kind = data::Column::Kind::text};
  std::unordered_map<std::string_view, std::int32_t> codes;
  for (const auto& text : tensor.texts) {
    const std::string_view cell = text ? trim(*text) : std::string_view{};
    if (data::is_missing(cell)) {
      column.codes.push_back(-1);
      continue;
    }
    const auto [at, is_new] = codes.emplace(cell, static_cast<std::int32_t>(column.levels.size()));
    if (is_new) column.levels.emplace_back(cell);
    column.codes.push_back(at->second);
  }
  return column;
}

/// Numbers of a category: a large id in single precision would be another one.
data::Column numbers_as_text(const Tensor& tensor) {
  data::Column column{.name = tensor.name, .kind = data::Column::Kind::text};
  std::unordered_map<double, std::int32_t> codes;
  for (const double x : tensor.numbers) {
    if (std::isnan(x)) {
      column.codes.push_back(-1);
      continue;
    }
    const auto [at, is_new] = codes.emplace(x, static_cast<std::int32_t>(column.levels.size()));
    if (is_new) column.levels.push_back(data::text_of_number(x));
    column.codes.push_back(at->second);
  }
  return column;
}

data::Column number_column(const Tensor& tensor) {
  data::Column column{.name = tensor.name};
  column.numbers.resize(tensor.numbers.size());
  std::ranges::transform(tensor.numbers, column.numbers.begin(), [](double x) { return static_cast<float>(x); });
  return column;
}

std::string column_names(const ServedModel& served) {
  constexpr std::size_t max_shown = 20;
  std::string names;
  for (std::size_t c = 0; c < std::min(served.columns.size(), max_shown); ++c)
    names += (c ? ", " : "") + served.columns[c].name;
  return names + (served.columns.size() > max_shown ? ", ..." : "");
}

[[noreturn]] void refuse_unknown(const ServedModel& served, const Tensor& tensor) {
  const std::string names = column_names(served);
  throw RequestError(fmt::format("unknown input '{}'; the columns of the model are {}{}", tensor.name, names,
                                 core::did_you_mean(tensor.name, names)));
}

/// A table with the request's columns.
data::Table make_table(const ServedModel& served, const InferRequest& request) {
  std::unordered_map<std::string_view, const Tensor*> given;
  const std::size_t rows = request.inputs.front().shape.front();
  if (rows == 0) throw RequestError("the request has no rows");
  for (const Tensor& tensor : request.inputs) {
    if (!given.emplace(tensor.name, &tensor).second)
      throw RequestError(fmt::format("input '{}' appears twice", tensor.name));
    if (tensor.shape.size() == 2 && tensor.shape[1] != 1)
      throw RequestError(fmt::format("input '{}': shape {} must be [rows] or [rows, 1]: a column", tensor.name,
                                     show_shape(tensor.shape)));
    if (tensor.shape.front() != rows)
      throw RequestError(fmt::format("input '{}' has {} rows, input '{}' has {}", request.inputs.front().name, rows,
                                     tensor.name, tensor.shape.front()));
  }
  data::Table table{.source = "request", .columns = {}};
  for (const ServedColumn& column : served.columns) {
    const auto found = given.find(column.name);
    if (found == given.end()) throw RequestError(fmt::format("column '{}' is missing", column.name));
    const Tensor& tensor = *found->second;
    const bool is_category = column.kind == ServedColumn::Kind::text;
    table.columns.push_back(tensor.datatype->is_text() ? text_column(tensor)
                            : is_category              ? numbers_as_text(tensor)
                                                       : number_column(tensor));
    given.erase(found);
  }
  for (const Tensor& tensor : request.inputs)
    if (given.contains(tensor.name)) refuse_unknown(served, tensor);
  return table;
}

core::Matrix<float> raw_values(const ServedModel& served, const data::Table& table) {
  const auto& inputs = served.model.encoder.inputs();
  const std::size_t rows = table.rows();
  core::Matrix<float> raw(rows, inputs.size());
  const data::ColumnIndex index(table);
  std::vector<float> buffer(rows);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const data::Column& column = table.columns[index.find(inputs[i].name).value()];
    const data::ColumnReader reader(inputs[i], {table, column, {nullptr, rows}}, &served.levels[i]);
    reader.refuse_infinite(0, rows);
    const float* values = reader.read(0, rows, buffer.data());
    for (std::size_t r = 0; r < rows; ++r) raw(r, i) = values[r];
  }
  return raw;
}

/// Reads one tensor that has all columns, in the order of the model's inputs.
RequestRows read_matrix(const ServedModel& served, const Tensor& tensor) {
  const std::size_t columns = served.columns.size();
  if (tensor.shape.size() != 2 || tensor.shape[1] != columns || tensor.datatype->is_text())
    throw RequestError(fmt::format("input '{}': {} of shape {} must be numbers of shape [rows, {}]", tensor.name,
                                   tensor.datatype->name, show_shape(tensor.shape), columns));
  if (tensor.shape[0] == 0) throw RequestError("the request has no rows");
  RequestRows rows{.table = {}, .raw = core::Matrix<float>(tensor.shape[0], columns), .offsets = {}};
  std::ranges::transform(tensor.numbers, rows.raw.flat().begin(), [](double x) { return static_cast<float>(x); });
  std::vector<std::string> names;
  for (const ServedColumn& column : served.columns) names.push_back(column.name);
  for (std::size_t r = 0; r < rows.raw.rows(); ++r)
    if (std::ranges::any_of(rows.raw.row(r), [](float x) { return std::isinf(x); }))
      data::Table::from_rows(rows.raw, names);  // throws an error with the location
  return rows;
}

}  // namespace

RequestRows read_rows(const ServedModel& served, const InferRequest& request) {
  if (served.takes_matrix && request.inputs.size() == 1 && request.inputs.front().name == matrix_input &&
      std::ranges::find(served.columns, matrix_input, &ServedColumn::name) == served.columns.end())
    return read_matrix(served, request.inputs.front());
  RequestRows rows{.table = make_table(served, request), .raw = {}, .offsets = {}};
  data::apply_formats(rows.table, served.model.encoder.inputs());
  rows.raw = raw_values(served, rows.table);
  rows.offsets = boosting::read_offsets(rows.table, served.model.offset_column);
  return rows;
}

}  // namespace accrete::serve
