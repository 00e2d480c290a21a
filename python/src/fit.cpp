// Binds boosting::fit and grow. They run without the GIL.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "accrete/backend/cuda/open_named.hpp"
#include "accrete/core/error.hpp"
#include "bindings.hpp"
#include "callables.hpp"
#include "communicator.hpp"
#include "message.hpp"
#include "request.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

struct FitOutcome {
  model::Model model;
  std::string stop;
  std::vector<std::string> notes;
};

/// Progress as seen by Python. Python may keep it after the callback, but can take snapshots only during the callback.
struct StepProgress {
  explicit StepProgress(const boosting::Progress& p)
      : step(p.step),
        steps(p.steps),
        units(p.units),
        train_loss(p.train_loss),
        validation_loss(p.validation_loss),
        fraction(p.time.fraction),
        seconds_left(p.time.seconds_left),
        live(&p) {}

  model::Model snapshot() const {
    if (!live) throw core::UsageError("snapshot() works only during the callback of its step");
    return live->snapshot();
  }

  std::size_t step, steps, units;
  double train_loss;
  std::optional<double> validation_loss;
  double fraction, seconds_left;
  const boosting::Progress* live;
};

/// Runs Python's signal handlers and the observer after each step. KeyboardInterrupt stops the fit and keeps the model
/// so far; any other exception propagates.
class FitObserver {
 public:
  explicit FitObserver(nb::object observer) : observer_(std::move(observer)) {}

  bool on_step(const boosting::Progress& progress) {
    const nb::gil_scoped_acquire hold;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (observer_.is_none()) return true;
      const nb::object shown = nb::cast(StepProgress(progress));
      struct EndOfCallback {
        StepProgress& progress;
        ~EndOfCallback() { progress.live = nullptr; }
      } const end{nb::cast<StepProgress&>(shown)};
      const nb::object go_on = observer_(shown);
      return go_on.is_none() || nb::cast<bool>(go_on);
    } catch (const nb::python_error& error) {
      if (!error.matches(PyExc_KeyboardInterrupt)) throw;
      interrupted_ = true;
      return false;
    }
  }

  /// No step can be reported while parameters are chosen; the observer's `choosing` gets the estimate.
  bool on_choosing(const boosting::TimeEstimate& time) {
    const nb::gil_scoped_acquire hold;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (nb::hasattr(observer_, "choosing")) observer_.attr("choosing")(time.fraction, time.seconds_left);
      return true;
    } catch (const nb::python_error& error) {
      if (!error.matches(PyExc_KeyboardInterrupt)) throw;
      interrupted_ = true;
      return false;
    }
  }

  bool interrupted() const { return interrupted_; }

 private:
  nb::object observer_;
  bool interrupted_ = false;
};

/// Calls run(table, options, observer), which is fit or grow. Consumes the table.
template <class Run>
FitOutcome run_fit(data::Table& table, const Request& request, const data::Table* validation, nb::object observer,
                   const nb::object& ranks, Run&& run) {
  FitObserver fit_observer(std::move(observer));
  std::optional<PythonCommunicator> comm;
  if (!ranks.is_none()) comm.emplace(ranks);
  std::optional<boosting::FitResult> result;
  {
    const nb::gil_scoped_release released;
    core::Workers workers(request.threads);
    const cuda::DeviceChoice choice = comm ? cuda::open_named(request.device, *comm) : cuda::open_named(request.device);
    boosting::FitOptions options = request.options();
    options.validation = validation;
    options.workers = &workers;
    options.device = choice.device.get();
    if (comm) options.comm = &*comm;
    options.choosing = [&](const boosting::TimeEstimate& time) { return fit_observer.on_choosing(time); };
    result = run(std::move(table), options,
                 [&](const boosting::Progress& progress) { return fit_observer.on_step(progress); });
    if (!choice.device && !choice.note.empty()) result->notes.push_back(choice.note);
  }
  const char* stop = fit_observer.interrupted()                 ? "interrupted"
                     : result->stop == boosting::Stop::observer ? "observer"
                     : result->stop == boosting::Stop::patience ? "patience"
                     : result->stop == boosting::Stop::time     ? "time"
                                                                : "finished";
  return {std::move(result->model), stop, render(result->notes)};
}

FitOutcome fit(data::Table& table, const Request& request, const data::Table* validation, nb::object observer,
               const nb::object& ranks) {
  return run_fit(table, request, validation, std::move(observer), ranks,
                 [](data::Table&& rows, const boosting::FitOptions& options, const boosting::Observer& on_step) {
                   return boosting::fit(std::move(rows), options, on_step);
                 });
}

FitOutcome grow(const model::Model& model, data::Table& table, const Request& request, const data::Table* validation,
                nb::object observer, const nb::object& ranks) {
  return run_fit(table, request, validation, std::move(observer), ranks,
                 [&](data::Table&& rows, const boosting::FitOptions& options, const boosting::Observer& on_step) {
                   return boosting::grow(model, std::move(rows), options, on_step);
                 });
}

}  // namespace

boosting::FitOptions Request::options() const {
  boosting::FitOptions all;
  all.targets = targets;
  if (!task.empty()) all.task = data::task_named(task);
  all.preset = preset;
  all.config = config::parse_settings(settings);
  all.weight_column = weight_column;
  all.offset_column = offset_column;
  all.ignore = ignore;
  all.custom_loss = custom_loss;
  all.custom_metric = custom_metric;
  return all;
}

void bind_fit(nb::module_& m) {
  nb::class_<Request>(m, "Request", "The arguments of a fit, except the table.")
      .def(nb::init<>())
      .def_rw("targets", &Request::targets)
      .def_rw("task", &Request::task)
      .def_rw("preset", &Request::preset)
      .def_rw("settings", &Request::settings)
      .def_rw("weight_column", &Request::weight_column)
      .def_rw("offset_column", &Request::offset_column)
      .def_rw("ignore", &Request::ignore)
      .def("set_loss", [](Request& r, nb::callable f) { r.custom_loss = make_loss(std::move(f)); })
      .def("set_metric", [](Request& r, nb::callable f) { r.custom_metric = make_metric(std::move(f)); })
      .def_rw("threads", &Request::threads)
      .def_rw("device", &Request::device);
  nb::class_<FitOutcome>(m, "FitOutcome")
      .def_ro("model", &FitOutcome::model)
      .def_ro("stop", &FitOutcome::stop, "finished, patience, time, observer or interrupted")
      .def_ro("notes", &FitOutcome::notes);
  nb::class_<StepProgress>(m, "Progress", "The state of a fit after a step.")
      .def_ro("step", &StepProgress::step)
      .def_ro("steps", &StepProgress::steps)
      .def_ro("units", &StepProgress::units)
      .def_ro("train_loss", &StepProgress::train_loss)
      .def_ro("validation_loss", &StepProgress::validation_loss)
      .def_ro("fraction", &StepProgress::fraction, "Share of the time that has passed, choosing included.")
      .def_ro("seconds_left", &StepProgress::seconds_left, "Estimated seconds until the end of the fit.")
      .def("snapshot", &StepProgress::snapshot, "The model so far; only during the callback.");
  m.def("fit", &fit, nb::arg("table"), nb::arg("request"), nb::arg("validation") = nb::none(),
        nb::arg("observer") = nb::none(), nb::arg("ranks") = nb::none(), "Consumes the table.");
  m.def("grow", &grow, nb::arg("model"), nb::arg("table"), nb::arg("request"), nb::arg("validation") = nb::none(),
        nb::arg("observer") = nb::none(), nb::arg("ranks") = nb::none(), "Consumes the table.");
}

}  // namespace accrete::python
