// Binds explain::contributions.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "accrete/explain/contributions.hpp"
#include "bindings.hpp"
#include "matrix.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

using explain::Contributions;

/// The names of the columns, values of shape (rows, columns, outputs) and the baseline of each output.
nb::tuple contributions(const model::Model& model, const data::Table& table, std::size_t steps, std::size_t threads) {
  auto* kept = new Contributions;
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Contributions*>(p); });
  {
    const nb::gil_scoped_release released;
    core::Workers workers(threads);
    *kept = explain::contributions(model, table, steps, workers);
  }
  const std::size_t shape[] = {kept->rows, kept->columns, kept->outputs};
  return nb::make_tuple(kept->column_names,
                        nb::ndarray<nb::numpy, double, nb::ndim<3>>(kept->values.data(), 3, shape, owner),
                        copied(std::span<const double>(kept->baseline)));
}

}  // namespace

void bind_explain(nb::module_& m) {
  m.def("contributions", &contributions, nb::arg("model"), nb::arg("table"), nb::arg("steps"), nb::arg("threads") = 0,
        "The names of the columns, their contributions (rows x columns x outputs) and the baseline of each output.");
}

}  // namespace accrete::python
