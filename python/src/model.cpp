// Binds model::Model.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>

#include "accrete/core/overloaded.hpp"
#include "accrete/io/atomic_file.hpp"
#include "accrete/io/c_source.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/model/interval.hpp"
#include "accrete/model/model.hpp"
#include "accrete/model/offsets.hpp"
#include "accrete/model/overflow.hpp"
#include "accrete/model/plain.hpp"
#include "accrete/model/staged.hpp"
#include "accrete/onnx/onnx.hpp"
#include "bindings.hpp"
#include "matrix.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

using model::Model;
using FloatRows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

auto predict_rows(const Model& model, const FloatRows& rows, std::size_t steps, std::size_t threads) {
  core::Matrix<double> result;
  {
    const nb::gil_scoped_release released;
    core::Workers workers(threads);
    result = model::predict(model, {rows.data(), rows.shape(0), rows.shape(1)}, steps, workers);
    model::refuse_overflow(result, "X");
  }
  return to_numpy(std::move(result));
}

auto predict_table(const Model& model, const data::Table& table, std::size_t steps, std::size_t threads) {
  core::Matrix<double> result;
  {
    const nb::gil_scoped_release released;
    core::Workers workers(threads);
    result = model::predict(model, table, steps, workers);
    model::refuse_overflow(result, table.source);
  }
  return to_numpy(std::move(result));
}

auto with_offsets(const Model& model, nb::ndarray<const double, nb::c_contig, nb::ndim<2>, nb::device::cpu> predictions,
                  nb::ndarray<const double, nb::c_contig, nb::ndim<1>, nb::device::cpu> offsets) {
  core::Matrix<double> result(predictions.shape(0), predictions.shape(1));
  std::copy_n(predictions.data(), predictions.size(), result.flat().begin());
  model::add_offsets(model, {offsets.data(), offsets.size()}, result);
  model::refuse_overflow(result, "X");
  return to_numpy(std::move(result));
}

using Predictions = nb::ndarray<const double, nb::c_contig, nb::ndim<2>, nb::device::cpu>;

core::MatrixView<const double> view_of(const Predictions& predictions) {
  return {predictions.data(), predictions.shape(0), predictions.shape(1)};
}

constexpr auto own = nb::rv_policy::move;  // the array owns its copy

/// The state of a generator of staged predictions; owns the model, the threads and the rows.
class Stages {
 public:
  Stages(const Model& model, const data::Table& table, std::size_t threads)
      : model_(model), workers_(threads), staged_(model_, table, workers_) {}

  /// Predictions after the next step; None after the last.
  nb::object next() {
    bool more = false;
    {
      const nb::gil_scoped_release released;
      more = staged_.next();
    }
    if (!more) return nb::none();
    const auto now = staged_.predictions();
    core::Matrix<double> copy(now.rows, now.cols);
    std::ranges::copy(now.flat(), copy.flat().begin());
    return nb::cast(to_numpy(std::move(copy)));
  }

 private:
  Model model_;
  core::Workers workers_;
  model::StagedPrediction staged_;
};

/// The feature groups of a column, for the renderers in Python (_torch.py).
nb::list groups_of(const data::ColumnEncoding& column) {
  nb::list groups;
  const auto add = [&](const char* encoding) {
    nb::dict group;
    group["encoding"] = encoding;
    groups.append(group);
    return group;
  };
  column.visit(core::Overloaded{[&](const data::Standardised& by) {
                                  nb::dict group = add("standardised");
                                  group["mean"] = by.mean;
                                  group["scale"] = by.scale;
                                },
                                [&](const data::Bins& by) {
                                  nb::list bins;
                                  for (const data::Bin& bin : by.bins)
                                    bins.append(nb::make_tuple(bin.start, bin.end, bin.mean, bin.scale));
                                  add("bins")["bins"] = bins;
                                },
                                [&](const data::OneHot& by) {
                                  nb::list levels;
                                  for (const data::Level& level : by.levels)
                                    levels.append(nb::make_tuple(level.mean, level.scale));
                                  add("one_hot")["levels"] = levels;
                                },
                                [&](const data::GapFlag&) { add("gap_flag"); }});
  return groups;
}

nb::list inputs_of(const Model& model) {
  nb::list all;
  for (std::size_t i = 0; i < model.encoder.inputs().size(); ++i) {
    const data::Input& input = model.encoder.inputs()[i];
    nb::dict entry;
    entry["name"] = input.name;
    entry["kind"] = input.kind == data::Column::Kind::numeric ? "numeric" : "text";
    entry["column"] = input.format.is_date() ? input.format.column : input.name;
    entry["formatted"] = input.format.needs_text();
    entry["mean"] = input.mean;
    entry["scale"] = input.scale;
    entry["indicator"] = input.gap_flag;
    entry["levels"] = input.levels;
    entry["shares"] = input.shares;
    entry["knots"] = input.knots;
    entry["bin_means"] = input.bin_means;
    entry["bin_scales"] = input.bin_scales;
    entry["width"] = model.encoder.columns()[i].width();
    all.append(entry);
  }
  return all;
}

bool reads_numbers(const Model& model) {
  const auto has_format = [](const data::Input& input) { return input.format != data::TextFormat{}; };
  return model.encoder.all_numeric() && std::ranges::none_of(model.encoder.inputs(), has_format);
}

nb::list columns_of(const Model& model) {
  nb::list columns;
  for (const data::ColumnEncoding& column : model.encoder.columns()) columns.append(groups_of(column));
  return columns;
}

nb::bytes bytes_of(const std::string& text) {
  return nb::bytes(text.data(), text.size());
}

Model parse(const nb::bytes& bytes, const std::string& source) {
  return io::parse_model({bytes.c_str(), bytes.size()}, source);
}

Model cut(const Model& model, std::size_t steps) {
  Model copy = model;
  copy.truncate(steps);
  return copy;
}

nb::object number_or_text(const std::string& text) {
  const auto number = data::parse_number(text);
  return number ? nb::object(nb::float_(*number)) : nb::object(nb::str(text.c_str(), text.size()));
}

nb::dict choice_of(const Model& m) {
  const model::ParameterChoice& choice = m.provenance.choice;
  nb::list trials;
  for (const model::Trial& trial : choice.trials) {
    nb::dict entry, parameters;
    for (const auto& [name, value] : trial.parameters) parameters[name.c_str()] = number_or_text(value);
    entry["parameters"] = parameters;
    entry["units"] = trial.units;
    entry["loss"] = trial.loss;
    trials.append(entry);
  }
  nb::dict result;
  result["parts"] = choice.folds;
  result["held_out_rows"] = choice.held_out_rows;
  result["trials"] = trials;
  return result;
}

void bind_facts(nb::class_<Model>& c) {
  c.def_prop_ro("method", [](const Model& m) { return std::string(model::method_name(m.method)); })
      .def_prop_ro("task", [](const Model& m) { return std::string(data::task_name(m.task)); })
      .def_prop_ro("loss", [](const Model& m) { return std::string(m.loss.name()); })
      .def_prop_ro("activation", [](const Model& m) { return std::string(m.network.activation().name()); })
      .def_ro("targets", &Model::targets)
      .def_ro("classes", &Model::classes)
      .def_ro("offset_column", &Model::offset_column)
      .def_prop_ro("quantiles",
                   [](const Model& m) {
                     const auto levels = m.loss.quantiles();
                     return std::vector<double>(levels.begin(), levels.end());
                   })
      .def_ro("target_shift", &Model::target_shift)
      .def_ro("target_scale", &Model::target_scale)
      .def_prop_ro("inputs", &inputs_of)
      .def_prop_ro("columns", &columns_of)
      .def_prop_ro("all_numeric", [](const Model& m) { return m.encoder.all_numeric(); })
      .def_prop_ro("reads_numbers", &reads_numbers, "The columns of X are the inputs, and all of them are numbers.")
      .def_prop_ro("input_count", [](const Model& m) { return m.encoder.inputs().size(); })
      .def_prop_ro("feature_names", [](const Model& m) { return m.encoder.feature_names(); })
      .def_prop_ro("units", [](const Model& m) { return m.units_after(m.network.steps()); })
      .def_prop_ro("steps", [](const Model& m) { return m.network.steps(); })
      .def_prop_ro("outputs", [](const Model& m) { return m.network.outputs(); })
      .def_prop_ro("version", [](const Model& m) { return m.provenance.version; })
      .def_prop_ro("training_rows", [](const Model& m) { return m.provenance.training_rows; })
      .def_prop_ro("choice", &choice_of)
      .def_prop_ro("parameters", [](const Model& m) { return m.provenance.parameters; })
      .def_prop_ro(
          "train_loss", [](const Model& m) { return copied(std::span<const double>(m.provenance.train_loss)); }, own)
      .def_prop_ro(
          "validation_loss",
          [](const Model& m) { return copied(std::span<const double>(m.provenance.validation_loss)); }, own);
}

/// Throws for plain methods, whose `network` is empty.
const network::Network& boosted_network(const Model& m) {
  model::require_grown(m, "weights");
  return m.network;
}

void bind_weights(nb::class_<Model>& c) {
  c.def_prop_ro(
       "hidden_weights",
       [](const Model& m) { return copied(boosted_network(m).hidden_weights(), m.network.features()); }, own,
       "units x features")
      .def_prop_ro(
          "hidden_bias", [](const Model& m) { return copied(boosted_network(m).hidden_bias()); }, own)
      .def_prop_ro(
          "output_weights",
          [](const Model& m) { return copied(boosted_network(m).output_weights(), m.network.outputs()); }, own,
          "units x outputs")
      .def_prop_ro(
          "prefix_bias", [](const Model& m) { return copied(boosted_network(m).prefix_bias(), m.network.outputs()); },
          own, "(steps + 1) x outputs: the output bias of each prefix")
      .def_prop_ro("step_ends", [](const Model& m) {
        return std::vector<std::size_t>(boosted_network(m).step_ends().begin(), m.network.step_ends().end());
      });
}

}  // namespace

void bind_model(nb::module_& m) {
  nb::class_<Model> c(m, "Model", "Encoder, network, link and provenance: the contents of a model file.");
  bind_facts(c);
  bind_weights(c);
  c.def("steps_for", &Model::steps_for, nb::arg("units"))
      .def("units_after", &Model::units_after)
      .def("cut", &cut, nb::arg("steps"), "The prefix as a model of its own.")
      .def("predict_rows", &predict_rows, nb::arg("rows"), nb::arg("steps"), nb::arg("threads") = 0)
      .def("predict_table", &predict_table, nb::arg("table"), nb::arg("steps"), nb::arg("threads") = 0)
      .def("with_offsets", &with_offsets, nb::arg("predictions"), nb::arg("offsets"))
      .def("intervals_of",
           [](const Model& model, const Predictions& predictions, std::size_t steps) {
             return to_numpy(model::intervals_of(model, view_of(predictions), steps));
           })
      .def("sets_of", [](const Model& model, const Predictions& predictions,
                         std::size_t steps) { return to_numpy(model::sets_of(model, view_of(predictions), steps)); })
      .def_prop_ro("predicts_median", &model::predicts_median)
      .def_prop_ro("coverage", [](const Model& model) { return model.calibration.coverage; })
      .def_prop_ro("point_column", [](const Model& model) { return model.point().column; })
      .def("save", [](const Model& model, const std::string& path) { io::save_model(model, path); })
      .def_static("load", &io::load_model, nb::arg("path"))
      .def("to_bytes", [](const Model& model) { return bytes_of(io::serialise(model)); })
      .def_static("from_bytes", &parse, nb::arg("bytes"), nb::arg("source") = "bytes")
      .def("to_c", [](const Model& model, std::string name) { return io::c_source(model, {std::move(name)}); })
      .def(
          "to_onnx", [](const Model& model, bool dial) { return bytes_of(onnx::write(model, {.dial = dial})); },
          nb::arg("dial") = false)
      .def("__getstate__", [](const Model& model) { return bytes_of(io::serialise(model)); })
      .def("__setstate__", [](Model& model, const nb::bytes& state) { new (&model) Model(parse(state, "a pickle")); });
  m.def(
      "write_file",
      [](const std::string& path, const nb::bytes& content) {
        io::AtomicFile file(path);
        file.write({content.c_str(), content.size()});
        file.commit();
      },
      nb::arg("path"), nb::arg("content"), "Writes the file atomically.");
  m.def("c_name", &io::c_name, nb::arg("path"), "A C identifier made from a path.");
  nb::class_<Stages>(m, "Stages", "Predictions after each step, in one pass over the units.")
      .def(nb::init<const Model&, const data::Table&, std::size_t>(), nb::arg("model"), nb::arg("table"),
           nb::arg("threads") = 0)
      .def("next", &Stages::next);
}

}  // namespace accrete::python
