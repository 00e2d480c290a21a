#pragma once
// The rooms as Python sees them, one file each. Only numbers, texts and arrays cross; what users call is in
// python/accrete.

#include <nanobind/nanobind.h>

namespace accrete::python {

void bind_parameters(nanobind::module_& m);
void bind_table(nanobind::module_& m);
void bind_model(nanobind::module_& m);
void bind_fit(nanobind::module_& m);

}  // namespace accrete::python
