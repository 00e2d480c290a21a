// Binds the list of parameters, from which the estimators' documentation is generated.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>
#include <variant>

#include "accrete/boosting/choose.hpp"
#include "accrete/config/parameters.hpp"
#include "accrete/config/preset.hpp"
#include "accrete/config/wide_features.hpp"
#include "accrete/metric/list.hpp"
#include "bindings.hpp"
#include "message.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

const char* kind_of(const config::Parameter& p) {
  constexpr const char* kinds[] = {"int",           "float", "bool", "str", "list of int",
                                   "list of float", "str",   "str",  "str", "str"};
  static_assert(std::size(kinds) == std::variant_size_v<decltype(p.field)>);
  return kinds[p.field.index()];
}

/// (preset, for classes, value) for each preset.
nb::list presets_of(const config::Parameter& p) {
  nb::list values;
  for (const auto& preset : config::presets())
    values.append(nb::make_tuple(preset.name, preset.classes, config::get(preset.config, p)));
  return values;
}

nb::dict weights_of(const std::vector<config::NamedWeight>& named) {
  nb::dict weights;
  for (const auto& [name, weight] : named) weights[nb::str(name.data(), name.size())] = weight;
  return weights;
}

/// class_weight of an estimator from the text in a model file.
nb::object class_weights(std::string_view text) {
  const auto weights = config::parse_class_weights(text);
  if (!weights || weights->empty()) return nb::none();
  return weights->balanced ? nb::object(nb::str("balanced")) : nb::object(weights_of(weights->named));
}

/// group_weight of an estimator from the text in a model file.
nb::object group_weights(std::string_view text) {
  const auto weights = config::parse_group_weights(text);
  if (!weights || weights->empty()) return nb::none();
  const nb::str column(weights->column.data(), weights->column.size());
  if (weights->named.empty()) return column;
  nb::dict result;
  result[column] = weights_of(weights->named);
  return result;
}

nb::list parameters() {
  nb::list all;
  for (const auto& p : config::parameters()) {
    nb::dict entry;
    entry["name"] = p.name;
    entry["kind"] = kind_of(p);
    entry["summary"] = p.summary;
    entry["range"] = p.range();
    entry["presets"] = presets_of(p);
    const auto chosen = boosting::chosen_parameters();
    entry["chosen"] = std::ranges::find(chosen, std::string_view(p.name)) != chosen.end();
    all.append(entry);
  }
  return all;
}

/// What config::for_wide_features adds to the settings given, as keyword arguments of an estimator.
nb::dict wide_feature_settings(const std::vector<config::Setting>& given, std::string_view preset, std::size_t rows,
                               std::size_t features, std::size_t classes) {
  const config::Config before = config::parse_settings(given);
  const config::Config after = config::for_wide_features(before, preset, {rows, features, classes});
  nb::dict added;
  const auto add = [&](const char* name, const auto& old_value, const auto& value) {
    if (!old_value && value) added[name] = *value;
  };
  add("units_per_step", before.units_per_step, after.units_per_step);
  add("activation", before.activation, after.activation);
  add("feature_fraction", before.feature_fraction, after.feature_fraction);
  add("learning_rate", before.learning_rate, after.learning_rate);
  add("alpha", before.alpha, after.alpha);
  return added;
}

}  // namespace

void bind_parameters(nb::module_& m) {
  nb::dict python_names;
  for (const auto& [library, python] : renamed_parameters)
    python_names[nb::str(library.data(), library.size())] = nb::str(python.data(), python.size());
  m.attr("PYTHON_NAMES") = python_names;
  m.def("parameters", &parameters,
        "All parameters: name, kind, summary, range, value in each preset, and whether a fit may choose it.");
  m.attr("MAX_PENALTY_FITS") = config::max_penalty_fits;
  m.def("wide_feature_settings", &wide_feature_settings, nb::arg("given"), nb::arg("preset"), nb::arg("rows"),
        nb::arg("features"), nb::arg("classes"), "Settings for features of a deep network, for what is not given.");
  m.def(
      "has_learned", [](const std::vector<double>& train_loss) { return config::has_learned(train_loss); },
      nb::arg("train_loss"), "Whether a fit lowered the training loss enough.");
  m.def("class_weights", &class_weights, nb::arg("text"));
  m.def("group_weights", &group_weights, nb::arg("text"));
  m.def(
      "check_parameter",
      [](std::string_view name, std::string_view text) { config::canonical(config::parameter_named(name), text); },
      nb::arg("name"), nb::arg("text"), "Raises ValueError unless the text is an allowed value of the parameter.");
  m.def(
      "metrics",
      [](bool classes) {
        nb::list names;
        for (std::size_t i = 0; i < metric::All::size; ++i)
          if (const metric::Metric metric{i}; metric.fits(classes ? data::Task::binary : data::Task::regression))
            names.append(metric.name());
        return names;
      },
      nb::arg("classes"), "The names of the metrics of classes, or of numbers.");
  m.def(
      "canonical",
      [](std::string_view name, std::string_view text) {
        return config::canonical(config::parameter_named(name), text);
      },
      nb::arg("name"), nb::arg("text"), "The value in canonical form. Raises ValueError as check_parameter does.");
}

}  // namespace accrete::python
