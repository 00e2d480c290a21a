// The extension module accrete._core.

#include <exception>

#include "accrete/core/error.hpp"
#include "accrete/core/version.hpp"
#include "bindings.hpp"
#include "message.hpp"

namespace nb = nanobind;

namespace {

/// Errors of the library become OSError or ValueError, with parameters under their Python names.
void translate(const std::exception_ptr& error, void*) {
  using accrete::python::render;
  try {
    std::rethrow_exception(error);
  } catch (const accrete::core::FileError& e) {
    PyErr_SetString(PyExc_OSError, render(e.message()).c_str());
  } catch (const accrete::core::Error& e) {
    PyErr_SetString(PyExc_ValueError, render(e.message()).c_str());
  }
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The compiled part of accrete. Private: use the package instead.";
  nb::register_exception_translator(translate);
  m.def("version", &accrete::core::version, "The library's version.");
  accrete::python::bind_parameters(m);
  accrete::python::bind_table(m);
  accrete::python::bind_model(m);
  accrete::python::bind_early_exit(m);
  accrete::python::bind_callables(m);
  accrete::python::bind_explain(m);
  accrete::python::bind_fit(m);
  accrete::python::bind_search(m);
}
