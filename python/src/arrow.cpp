// Frames from anywhere, for Python.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "accrete/core/error.hpp"
#include "arrow_rows.hpp"
#include "bindings.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

/// Columns by place, under these names and of these kinds.
void add_arrow(data::Table& table, const ArrowRows& rows, const std::vector<std::string>& names,
               const std::vector<std::string>& kinds) {
  if (rows.columns() != names.size() || kinds.size() != names.size())
    throw core::UsageError(fmt::format("X has {} columns; expected are {}", rows.columns(), names.size()));
  for (std::size_t c = 0; c < names.size(); ++c) {
    check_rows(table, names[c], rows.rows());
    table.columns.push_back(rows.column(c, names[c], wanted_named(kinds[c])));
  }
}

}  // namespace

void bind_arrow(nb::module_& m, nb::class_<data::Table>& c) {
  nb::class_<ArrowRows>(m, "ArrowRows", "What an object with __arrow_c_stream__ holds, read once and kept.")
      .def(nb::init<nb::handle>(), nb::arg("frame"))
      .def_prop_ro("names", &ArrowRows::names)
      .def_prop_ro("shape", [](const ArrowRows& rows) { return nb::make_tuple(rows.rows(), rows.columns()); });
  c.def("add_arrow", &add_arrow, nb::arg("rows"), nb::arg("names"), nb::arg("kinds"),
        "kinds has '', 'numeric' or 'text' for each column.");
}

}  // namespace accrete::python
