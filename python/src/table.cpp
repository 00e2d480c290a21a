// Binds data::Table.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "accrete/comm/recognise_share.hpp"
#include "accrete/comm/table_share.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/row.hpp"
#include "accrete/data/recognise.hpp"
#include "accrete/data/table.hpp"
#include "accrete/model/model.hpp"
#include "bindings.hpp"
#include "communicator.hpp"
#include "message.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::device::cpu>;
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;

/// Sets `merged` of a column of these numbers. Most columns are not constant, which their first rows show.
void note_merged(data::Column& column, const double* values, std::int64_t stride) {
  const float* const first = column.numbers.data();
  const std::size_t rows = column.numbers.size();
  if (std::any_of(first, first + rows, [&](float x) { return x != *first && x == x && *first == *first; })) return;
  data::NumberRange range;
  for (std::size_t r = 0; r < rows; ++r) range.add(values[static_cast<std::int64_t>(r) * stride]);
  column.merged = range.merges();
}
void note_merged(data::Column&, const float*, std::int64_t) {}

template <class T>
void add_numbers(data::Table& table, std::string name, const Vector<T>& values) {
  check_rows(table, name, values.shape(0));
  data::Column column{std::move(name), data::Column::Kind::numeric, {}, {}, {}};
  column.numbers.resize(values.shape(0));
  const std::int64_t stride = values.stride(0);
  for (std::size_t r = 0; r < column.numbers.size(); ++r)
    column.numbers[r] = static_cast<float>(values.data()[static_cast<std::int64_t>(r) * stride]);
  note_merged(column, values.data(), stride);
  table.columns.push_back(std::move(column));
}

/// Transposes in blocks of rows, so that a row-major matrix is read from memory once.
template <class T>
void add_matrix(data::Table& table, const std::vector<std::string>& names, const Matrix<T>& values) {
  constexpr std::size_t block = 256;
  const std::size_t rows = values.shape(0), columns = values.shape(1);
  if (names.size() != columns) throw core::UsageError(fmt::format("{} names for {} columns", names.size(), columns));
  const std::size_t first = table.columns.size();
  for (const auto& name : names) {
    check_rows(table, name, rows);
    table.columns.push_back({name, data::Column::Kind::numeric, core::FloatColumn(rows), {}, {}});
  }
  const std::int64_t row_stride = values.stride(0), column_stride = values.stride(1);
  for (std::size_t from = 0; from < rows; from += block)
    for (std::size_t c = 0; c < columns; ++c) {
      float* into = table.columns[first + c].numbers.data();
      const T* at = values.data() + static_cast<std::int64_t>(c) * column_stride;
      for (std::size_t r = from; r < std::min(rows, from + block); ++r)
        into[r] = static_cast<float>(at[static_cast<std::int64_t>(r) * row_stride]);
    }
  for (std::size_t c = 0; c < columns; ++c)
    note_merged(table.columns[first + c], values.data() + static_cast<std::int64_t>(c) * column_stride, row_stride);
}

/// The columns of a CSR matrix; indices ascend within a row.
template <class Index, class T>
void add_sparse(data::Table& table, const std::vector<std::string>& names, const Vector<Index>& starts,
                const Vector<Index>& indices, const Vector<T>& values) {
  data::SparseRows rows;
  rows.columns = names.size();
  rows.starts.assign(starts.data(), starts.data() + starts.shape(0));
  rows.indices.assign(indices.data(), indices.data() + indices.shape(0));
  rows.values.resize(values.shape(0));
  std::transform(values.data(), values.data() + values.shape(0), rows.values.begin(),
                 [](T x) { return static_cast<float>(x); });
  if (rows.starts.empty() || rows.starts.front() != 0 || !std::ranges::is_sorted(rows.starts) ||
      rows.starts.back() != rows.indices.size() || rows.indices.size() != rows.values.size())
    throw core::UsageError("the arrays are not a matrix compressed by row");
  for (std::size_t r = 0; r < rows.rows(); ++r)
    for (std::size_t e = rows.starts[r]; e < rows.starts[r + 1]; ++e)
      if (rows.indices[e] >= rows.columns || (e > rows.starts[r] && rows.indices[e] <= rows.indices[e - 1]))
        throw core::UsageError(fmt::format("row {}: column indices must ascend and be below {}", r, rows.columns));
  table.add_sparse(rows, names);
}

void add_text(data::Table& table, std::string name, const Vector<std::int32_t>& codes,
              std::vector<std::string> levels) {
  check_rows(table, name, codes.shape(0));
  data::Column column{std::move(name), data::Column::Kind::text, {}, {}, std::move(levels)};
  column.codes.resize(codes.shape(0));
  const auto count = static_cast<std::int32_t>(column.levels.size());
  for (std::size_t r = 0; r < column.codes.size(); ++r) {
    const std::int32_t code = codes.data()[static_cast<std::int64_t>(r) * codes.stride(0)];
    if (code < -1 || code >= count)
      throw core::UsageError(
          core::message("column '{}', {}: code {} is outside the {} levels", column.name, core::row(r), code, count));
    column.codes[r] = code;
  }
  table.columns.push_back(std::move(column));
}

/// Targets keep double precision.
void add_target(data::Table& table, std::string name, const Vector<double>& values) {
  add_numbers<double>(table, std::move(name), values);
  std::vector<double>& exact = table.columns.back().exact;
  exact.resize(values.shape(0));
  for (std::size_t r = 0; r < exact.size(); ++r)
    exact[r] = values.data()[static_cast<std::int64_t>(r) * values.stride(0)];
}

/// (row, column) of the first value that is infinite as a float, or None.
nb::object first_infinity(const data::Table& table) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto& numbers = table.columns[c].numbers;
    const auto at = std::find_if(numbers.begin(), numbers.end(), [](float x) { return std::isinf(x); });
    if (at != numbers.end()) return nb::make_tuple(at - numbers.begin(), table.columns[c].name);
  }
  return nb::none();
}

/// The properties that ranks must agree on before they merge levels.
std::vector<std::string> describe(const data::Table& table) {
  std::vector<std::string> columns;
  for (const data::Column& column : table.columns)
    columns.push_back(
        fmt::format("'{}' {}", column.name, column.kind == data::Column::Kind::text ? "of texts" : "of numbers"));
  return columns;
}

/// Makes the levels of all text columns equal on all ranks.
void merge_levels(data::Table& table, const nb::object& ranks) {
  PythonCommunicator comm(ranks);
  const auto all = comm::gather_texts(comm, describe(table));
  for (std::size_t r = 1; r < all.size(); ++r) {
    if (all[r].size() != all[0].size())
      throw core::DataError(
          fmt::format("X has {} columns on rank {} and {} on rank 0", all[r].size(), r, all[0].size()));
    for (std::size_t c = 0; c < all[r].size(); ++c)
      if (all[r][c] != all[0][c])
        throw core::DataError(fmt::format("X: column {} is {} on rank {} and {} on rank 0; all must have the same", c,
                                          all[r][c], r, all[0][c]));
  }
  for (data::Column& column : table.columns)
    if (column.kind == data::Column::Kind::text) comm::merge_levels(column, comm);
}

data::RecognisedColumns recognise_on(data::Table& table, const data::RecogniseOptions& options,
                                     const nb::object& ranks) {
  if (ranks.is_none()) return data::recognise_columns(table, options);
  PythonCommunicator comm(ranks);
  return comm::recognise_columns(table, options, comm);
}

/// Notes for the user about the columns of X.
std::vector<std::string> recognise(data::Table& table, const std::vector<std::string>& categories,
                                   const nb::object& ranks) {
  const data::RecognisedColumns found = recognise_on(table, {.keep = categories}, ranks);
  std::vector<std::string> notes;
  for (const data::NearlyNumericColumn& column : found.nearly_numeric)
    notes.push_back(fmt::format(
        "X: column '{}' is text because of '{}' in {}; {} of {} values are numbers; to read them as numbers, use "
        "pandas.to_numeric(..., errors='coerce')",
        column.name, column.text, python_rows.name(column.row), column.numbers, column.values));
  for (const std::string& name : found.identifiers)
    notes.push_back(fmt::format(
        "X: column '{}' has a different text in each row and is left out; to use it, make it a categorical column",
        name));
  return notes;
}

/// The columns of X that a table has, and their kinds: "numeric", "text" or "formatted".
std::vector<std::pair<std::string, std::string>> kinds_of(const data::Table& table) {
  std::vector<std::pair<std::string, std::string>> kinds;
  for (const data::Column& column : table.columns) {
    const std::string& name = column.format.is_date() ? column.format.column : column.name;
    const char* const plain = column.kind == data::Column::Kind::text ? "text" : "numeric";
    kinds.emplace_back(name, column.format.needs_text() ? "formatted" : plain);
  }
  return kinds;
}

}  // namespace

void check_rows(const data::Table& table, const std::string& name, std::size_t rows) {
  if (!table.columns.empty() && table.rows() != rows)
    throw core::UsageError(fmt::format("column '{}' has {} rows, the table has {}", name, rows, table.rows()));
}

void bind_table(nb::module_& m) {
  nb::class_<data::Table> c(m, "Table", "Typed columns of equal length.");
  c.def(nb::new_([](std::string source) {
          return data::Table{.source = std::move(source), .columns = {}, .target_argument = "y"};
        }),
        nb::arg("source") = "data")
      .def_prop_ro("rows", &data::Table::rows)
      .def_prop_ro("names",
                   [](const data::Table& table) {
                     std::vector<std::string> names;
                     for (const auto& column : table.columns) names.push_back(column.name);
                     return names;
                   })
      .def_prop_ro("text_columns",
                   [](const data::Table& table) {
                     std::vector<std::string> names;
                     for (const auto& column : table.columns)
                       if (column.kind == data::Column::Kind::text) names.push_back(column.name);
                     return names;
                   })
      .def_prop_ro("kinds", &kinds_of)
      .def("merge_levels", &merge_levels, nb::arg("ranks"), "Makes the levels of texts the same on all ranks.")
      .def("recognise", &recognise, nb::arg("categories"), nb::arg("ranks") = nb::none(),
           "Converts text columns that are numbers or dates and removes identifiers; returns notes.")
      .def("apply_formats", [](data::Table& table, const data::Table& formats) { data::apply_formats(table, formats); })
      .def("apply_formats",
           [](data::Table& table, const model::Model& model) { data::apply_formats(table, model.encoder.inputs()); })
      .def("first_infinity", &first_infinity, "(row, column) of the first infinity, or None.")
      .def("add_numbers", &add_numbers<float>, nb::arg("name"), nb::arg("values").noconvert())
      .def("add_numbers", &add_numbers<double>, nb::arg("name"), nb::arg("values"))
      .def("add_matrix", &add_matrix<float>, nb::arg("names"), nb::arg("values").noconvert())
      .def("add_matrix", &add_matrix<double>, nb::arg("names"), nb::arg("values"))
      .def("add_sparse", &add_sparse<std::int32_t, float>, nb::arg("names"), nb::arg("starts").noconvert(),
           nb::arg("indices").noconvert(), nb::arg("values").noconvert(),
           "Adds the columns of a matrix compressed by row.")
      .def("add_sparse", &add_sparse<std::int64_t, float>, nb::arg("names"), nb::arg("starts"), nb::arg("indices"),
           nb::arg("values"))
      .def("add_target", &add_target, nb::arg("name"), nb::arg("values"))
      .def("add_text", &add_text, nb::arg("name"), nb::arg("codes"), nb::arg("levels"), "A code of -1 is missing.");
  bind_objects(c);
  bind_arrow(m, c);
}

}  // namespace accrete::python
