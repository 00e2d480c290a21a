// accrete._core: the library's verbs. Errors of the library become Python's own kinds.

#include <exception>

#include "accrete/core/error.hpp"
#include "accrete/core/version.hpp"
#include "bindings.hpp"

namespace nb = nanobind;

namespace {

/// The library's own refusals, which Python tells from a ValueError raised by a user's callback.
PyObject* refused = nullptr;

void translate(const std::exception_ptr& error, void*) {
  try {
    std::rethrow_exception(error);
  } catch (const accrete::core::FileError& e) {
    PyErr_SetString(PyExc_OSError, e.what());
  } catch (const accrete::core::Error& e) {
    PyErr_SetString(refused, e.what());
  }
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The compiled part of accrete. Use the package, not this.";
  refused = PyErr_NewException("accrete._core.Refused", PyExc_ValueError, nullptr);
  m.attr("Refused") = nb::handle(refused);
  nb::register_exception_translator(translate);
  m.def("version", &accrete::core::version, "The library's version.");
  accrete::python::bind_parameters(m);
  accrete::python::bind_table(m);
  accrete::python::bind_model(m);
  accrete::python::bind_fit(m);
  accrete::python::bind_search(m);
}
