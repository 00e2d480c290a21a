#pragma once
// The rooms as Python sees them, one file each. Only numbers, texts and arrays cross; what users call is in
// python/accrete.

#include <nanobind/nanobind.h>

#include <string>

#include "accrete/data/table.hpp"

namespace accrete::python {

void bind_parameters(nanobind::module_& m);
void bind_table(nanobind::module_& m);
void bind_objects(nanobind::class_<data::Table>& c);
void bind_arrow(nanobind::module_& m, nanobind::class_<data::Table>& c);
void bind_model(nanobind::module_& m);
void bind_fit(nanobind::module_& m);
void bind_search(nanobind::module_& m);

/// Throws UsageError unless a column of so many rows fits the table.
void check_rows(const data::Table& table, const std::string& name, std::size_t rows);

}  // namespace accrete::python
