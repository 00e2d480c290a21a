// boosting::fit and grow, with the interpreter free while they run.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "accrete/backend/cuda/choose.hpp"
#include "accrete/core/error.hpp"
#include "bindings.hpp"
#include "request.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

struct Outcome {
  model::Model model;
  std::string stop;
  std::vector<std::string> notes;
};

/// A step as Python may keep it: the numbers stay, the snapshot can be taken only while the step is being shown.
struct Seen {
  explicit Seen(const boosting::Progress& p)
      : step(p.step),
        steps(p.steps),
        units(p.units),
        train_loss(p.train_loss),
        validation_loss(p.validation_loss),
        live(&p) {}

  model::Model snapshot() const {
    if (!live) throw core::UsageError("a snapshot can be taken only while its step is being shown");
    return live->snapshot();
  }

  std::size_t step, steps, units;
  double train_loss;
  std::optional<double> validation_loss;
  const boosting::Progress* live;
};

/// What Python sees of a fit. After each step it lets Python's signal handlers run, so that Ctrl-C ends the fit with
/// the model as it stands; any other exception, from a handler or from the observer, ends it with that exception.
class Watch {
 public:
  explicit Watch(nb::object observer) : observer_(std::move(observer)) {}

  bool see(const boosting::Progress& progress) {
    const nb::gil_scoped_acquire hold;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (observer_.is_none()) return true;
      const nb::object seen = nb::cast(Seen(progress));
      struct Forget {
        Seen& seen;
        ~Forget() { seen.live = nullptr; }
      } const forget{nb::cast<Seen&>(seen)};
      const nb::object answer = observer_(seen);
      return answer.is_none() || nb::cast<bool>(answer);
    } catch (const nb::python_error& error) {
      if (!error.matches(PyExc_KeyboardInterrupt)) throw;
      interrupted_ = true;
      return false;
    }
  }

  /// While settings are tried there is nothing to show yet, but Ctrl-C is heard.
  bool hear() {
    const nb::gil_scoped_acquire hold;
    if (PyErr_CheckSignals() == 0) return true;
    const nb::python_error error;
    if (!error.matches(PyExc_KeyboardInterrupt)) throw error;
    interrupted_ = true;
    return false;
  }

  bool interrupted() const { return interrupted_; }

 private:
  nb::object observer_;
  bool interrupted_ = false;
};

/// run(table, options, observer) is a fit or a growth. The table is used up.
template <class Run>
Outcome watched(data::Table& table, const Request& request, const data::Table* validation, nb::object observer,
                Run&& run) {
  Watch watch(std::move(observer));
  std::optional<boosting::FitResult> result;
  {
    const nb::gil_scoped_release free;
    core::Workers workers(request.threads);
    const cuda::Choice device = cuda::choose(request.device);
    boosting::FitOptions options = request.options();
    options.validation = validation;
    options.workers = &workers;
    options.machine = device.machine.get();
    options.choosing = [&](std::size_t, std::size_t) { return watch.hear(); };
    result = run(std::move(table), options, [&](const boosting::Progress& progress) { return watch.see(progress); });
    if (!device.machine && !device.note.empty()) result->notes.push_back(device.note);
  }
  const char* stop = watch.interrupted()                        ? "interrupted"
                     : result->stop == boosting::Stop::observer ? "observer"
                     : result->stop == boosting::Stop::patience ? "patience"
                     : result->stop == boosting::Stop::time     ? "time"
                                                                : "finished";
  return {std::move(result->model), stop, std::move(result->notes)};
}

Outcome fit(data::Table& table, const Request& request, const data::Table* validation, nb::object observer) {
  return watched(table, request, validation, std::move(observer),
                 [](data::Table&& rows, const boosting::FitOptions& options, const boosting::Observer& see) {
                   return boosting::fit(std::move(rows), options, see);
                 });
}

Outcome grow(const model::Model& model, data::Table& table, const Request& request, const data::Table* validation,
             nb::object observer) {
  return watched(table, request, validation, std::move(observer),
                 [&](data::Table&& rows, const boosting::FitOptions& options, const boosting::Observer& see) {
                   return boosting::grow(model, std::move(rows), options, see);
                 });
}

}  // namespace

boosting::FitOptions Request::options() const {
  boosting::FitOptions all;
  all.targets = targets;
  if (!task.empty()) all.task = data::task_named(task);
  all.preset = preset;
  all.overrides = settings;
  all.weight_column = weight_column;
  return all;
}

void bind_fit(nb::module_& m) {
  nb::class_<Request>(m, "Request", "What a fit is told besides its rows.")
      .def(nb::init<>())
      .def_rw("targets", &Request::targets)
      .def_rw("task", &Request::task)
      .def_rw("preset", &Request::preset)
      .def_rw("settings", &Request::settings)
      .def_rw("weight_column", &Request::weight_column)
      .def_rw("threads", &Request::threads)
      .def_rw("device", &Request::device);
  nb::class_<Outcome>(m, "Outcome")
      .def_ro("model", &Outcome::model)
      .def_ro("stop", &Outcome::stop, "finished, patience, time, observer or interrupted")
      .def_ro("notes", &Outcome::notes);
  nb::class_<Seen>(m, "Progress", "A fit after one more step.")
      .def_ro("step", &Seen::step)
      .def_ro("steps", &Seen::steps)
      .def_ro("units", &Seen::units)
      .def_ro("train_loss", &Seen::train_loss)
      .def_ro("validation_loss", &Seen::validation_loss)
      .def("snapshot", &Seen::snapshot, "The model as it stands; only while the step is being shown.");
  m.def("fit", &fit, nb::arg("table"), nb::arg("request"), nb::arg("validation") = nb::none(),
        nb::arg("observer") = nb::none(), "Uses the table up.");
  m.def("grow", &grow, nb::arg("model"), nb::arg("table"), nb::arg("request"), nb::arg("validation") = nb::none(),
        nb::arg("observer") = nb::none(), "Uses the table up.");
}

}  // namespace accrete::python
