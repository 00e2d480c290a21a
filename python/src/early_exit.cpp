// Binds early exit: finding its thresholds and predicting with them.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

#include "accrete/boosting/dial.hpp"
#include "accrete/model/overflow.hpp"
#include "accrete/model/predict_exit.hpp"
#include "bindings.hpp"
#include "matrix.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

using model::Model;
using FloatRows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Rows>
auto predict(const Model& model, const Rows& rows, std::size_t threads) {
  model::ExitPredictions result;
  {
    const nb::gil_scoped_release released;
    core::Workers workers(threads);
    result = model::predict_exit(model, rows, workers);
    model::refuse_overflow(result.values, "X");
  }
  return to_numpy(std::move(result.values));
}

/// A copy of the model with thresholds.
Model find_exits(const Model& model, const data::Table& table, std::pair<double, double> guarantee, double tolerance,
                 std::size_t threads) {
  const nb::gil_scoped_release released;
  core::Workers workers(threads);
  const boosting::DialOptions options{
      .disagreement = guarantee.first, .confidence = guarantee.second, .tolerance = tolerance, .seed = 0};
  Model result = model;
  result.early_exit = boosting::find_exits(model, table, options, workers);
  return result;
}

/// None for a model without early exit.
nb::object describe(const Model& model) {
  const model::EarlyExit& early_exit = model.early_exit;
  if (!(early_exit.disagreement > 0.0)) return nb::none();
  nb::list units, thresholds;
  for (const model::Exit& exit : early_exit.exits) {
    units.append(model.network.units_after(exit.steps));
    thresholds.append(exit.threshold);
  }
  nb::dict result;
  result["disagreement"] = early_exit.disagreement;
  result["confidence"] = early_exit.confidence;
  result["rows"] = early_exit.rows;
  result["differed"] = early_exit.differed;
  result["mean_units"] = early_exit.mean_units;
  result["units"] = units;
  result["thresholds"] = thresholds;
  result["tolerances"] = nb::cast(early_exit.tolerances);
  return result;
}

}  // namespace

void bind_early_exit(nb::module_& m) {
  m.def("find_exits", &find_exits, nb::arg("model"), nb::arg("table"), nb::arg("guarantee"), nb::arg("tolerance"),
        nb::arg("threads") = 0);
  m.def("early_exit_of", &describe, nb::arg("model"));
  m.def(
      "predict_exit_rows",
      [](const Model& model, const FloatRows& rows, std::size_t threads) {
        return predict(model, core::MatrixView<const float>{rows.data(), rows.shape(0), rows.shape(1)}, threads);
      },
      nb::arg("model"), nb::arg("rows"), nb::arg("threads") = 0);
  m.def("predict_exit_table", &predict<data::Table>, nb::arg("model"), nb::arg("table"), nb::arg("threads") = 0);
}

}  // namespace accrete::python
