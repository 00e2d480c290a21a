// Binds ArrowFrame and Table.add_arrow.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "accrete/core/error.hpp"
#include "arrow_frame.hpp"
#include "bindings.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

/// Adds the columns in order, under these names and with these kinds; those of the kind "skip" are left out.
void add_arrow(data::Table& table, const ArrowFrame& frame, const std::vector<std::string>& names,
               const std::vector<std::string>& kinds) {
  if (frame.columns() != names.size() || kinds.size() != names.size())
    throw core::UsageError(fmt::format("X has {} columns, expected {}", frame.columns(), names.size()));
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (kinds[c] == "skip") continue;
    check_rows(table, names[c], frame.rows());
    table.columns.push_back(frame.column(c, names[c], column_kind_named(kinds[c])));
  }
}

}  // namespace

void bind_arrow(nb::module_& m, nb::class_<data::Table>& c) {
  nb::class_<ArrowFrame>(m, "ArrowFrame", "The columns of an object with __arrow_c_stream__; the stream is read once.")
      .def(nb::init<nb::handle>(), nb::arg("frame"))
      .def_prop_ro("names", &ArrowFrame::names)
      .def_prop_ro("shape", [](const ArrowFrame& frame) { return nb::make_tuple(frame.rows(), frame.columns()); });
  c.def("add_arrow", &add_arrow, nb::arg("frame"), nb::arg("names"), nb::arg("kinds"),
        "kinds has '', 'numeric', 'text', 'formatted' or 'skip' for each column.");
}

}  // namespace accrete::python
