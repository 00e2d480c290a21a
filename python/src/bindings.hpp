#pragma once
// The parts of the extension module accrete._core, one file each. It is private: users call the Python code in
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
void bind_early_exit(nanobind::module_& m);
void bind_callables(nanobind::module_& m);
void bind_explain(nanobind::module_& m);
void bind_fit(nanobind::module_& m);
void bind_search(nanobind::module_& m);

/// Throws UsageError if the table has columns with another number of rows.
void check_rows(const data::Table& table, const std::string& name, std::size_t rows);

}  // namespace accrete::python
