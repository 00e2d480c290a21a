// The one list of parameters, so that the estimators' documentation comes from it too.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "accrete/boosting/parameters.hpp"
#include "accrete/boosting/preset.hpp"
#include "bindings.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

const char* kind_of(const boosting::Parameter& p) {
  constexpr const char* kinds[] = {"int", "float", "bool", "str"};
  return kinds[p.field.index()];
}

/// The value of each preset for classes, then for regression.
nb::list presets_of(const boosting::Parameter& p) {
  nb::list values;
  for (const auto& preset : boosting::presets())
    values.append(nb::make_tuple(preset.name, preset.classes, boosting::get(preset.config, p)));
  return values;
}

nb::list parameters() {
  nb::list all;
  for (const auto& p : boosting::parameters()) {
    nb::dict entry;
    entry["name"] = p.name;
    entry["kind"] = kind_of(p);
    entry["summary"] = p.summary;
    entry["range"] = p.range();
    entry["presets"] = presets_of(p);
    all.append(entry);
  }
  return all;
}

}  // namespace

void bind_parameters(nb::module_& m) {
  m.def("parameters", &parameters, "Every parameter: name, kind, summary, range, value in each preset.");
  m.def(
      "check_parameter",
      [](std::string_view name, std::string_view text) {
        boosting::Config config;
        boosting::set(config, boosting::parameter_named(name), text);
      },
      nb::arg("name"), nb::arg("text"), "Raises ValueError unless the text is an allowed value of the parameter.");
  m.def(
      "canonical",
      [](std::string_view name, std::string_view text) {
        boosting::Config config;
        boosting::set(config, boosting::parameter_named(name), text);
        return boosting::get(config, boosting::parameter_named(name));
      },
      nb::arg("name"), nb::arg("text"), "The text of a value as the library writes it; raises likewise.");
}

}  // namespace accrete::python
