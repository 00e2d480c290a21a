// tune::search over a grid, with the interpreter free while it runs.

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <optional>
#include <thread>
#include <utility>

#include "accrete/backend/cuda/choose.hpp"
#include "accrete/core/error.hpp"
#include "accrete/tune/boosted.hpp"
#include "accrete/tune/search.hpp"
#include "bindings.hpp"
#include "request.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

using Rows = std::vector<std::size_t>;

/// What a search is told besides what a fit is told.
struct SearchRequest {
  std::vector<std::pair<std::string, std::vector<std::string>>> axes = {};
  std::vector<std::size_t> units = {};
  std::size_t folds = 5;
  std::vector<std::pair<Rows, Rows>> splits = {};  ///< rows to fit and rows to score; empty: folds are drawn
  std::string metric = {};
  std::uint64_t seed = 0;
};

struct SearchOutcome {
  std::string metric;
  bool higher_is_better = false;
  std::vector<tune::Tried> tried;  ///< best first
  std::vector<std::string> notes;  ///< for the user, one line each
};

/// Ctrl-C ends a search with KeyboardInterrupt: there is no result yet. Signals come to the thread that called; the
/// others are told by it.
class Interrupts {
 public:
  bool heard() {
    if (std::this_thread::get_id() == caller_ && !heard_) {
      const nb::gil_scoped_acquire hold;
      if (PyErr_CheckSignals() != 0) {
        error_.emplace();
        heard_ = true;
      }
    }
    return heard_;
  }
  void raise() {
    if (error_) throw *std::exchange(error_, std::nullopt);
  }

 private:
  std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<bool> heard_ = false;
  std::optional<nb::python_error> error_;
};

/// Every value is checked and written as the method writes it.
tune::Grid grid_of(const SearchRequest& request, const tune::Method& method) {
  tune::Grid grid;
  for (const auto& [name, values] : request.axes) {
    tune::Axis axis{name, {}};
    for (const std::string& value : values) axis.values.push_back(method.canonical({name, value}));
    grid.axes.push_back(std::move(axis));
  }
  grid.units = request.units;
  if (grid.size() > tune::most_points)
    throw core::UsageError(
        fmt::format("the grid has {} combinations; {} are the most", grid.size(), tune::most_points));
  return grid;
}

SearchOutcome search(const data::Table& table, const Request& request, const SearchRequest& asked) {
  Interrupts interrupts;
  SearchOutcome outcome;
  {
    const nb::gil_scoped_release free;
    core::Workers workers(request.threads);
    const cuda::Choice device = cuda::choose(request.device);
    const boosting::FitOptions fit = request.options();
    const auto problem = tune::read_problem(table, fit.targets, fit.task);
    const tune::Boosted method(fit, problem.target.task, device.machine.get());
    tune::SearchOptions options;
    options.grid = grid_of(asked, method);
    options.folds = asked.folds;
    options.metric = asked.metric;
    options.seed = asked.seed;
    options.stop = [&] { return interrupts.heard(); };
    for (const auto& [train, test] : asked.splits) options.cuts.push_back({train, test});
    tune::SearchResult result = tune::search(problem, method, options, workers);
    outcome = {result.metric, result.better == tune::Better::higher, std::move(result.tried), {}};
    if (!device.machine && !device.note.empty()) outcome.notes.push_back(device.note);
    const auto scarce = tune::note_scarce_class(problem, options.folds);
    if (scarce && options.cuts.empty()) outcome.notes.push_back(*scarce);
  }
  interrupts.raise();
  return outcome;
}

}  // namespace

void bind_search(nb::module_& m) {
  nb::class_<SearchRequest>(m, "SearchRequest", "What a search is told besides what a fit is told.")
      .def(nb::init<>())
      .def_rw("axes", &SearchRequest::axes)
      .def_rw("units", &SearchRequest::units)
      .def_rw("folds", &SearchRequest::folds)
      .def_rw("splits", &SearchRequest::splits)
      .def_rw("metric", &SearchRequest::metric)
      .def_rw("seed", &SearchRequest::seed);
  nb::class_<tune::Tried>(m, "Tried", "One setting and what it was worth.")
      .def_ro("settings", &tune::Tried::settings)
      .def_ro("units", &tune::Tried::units)
      .def_ro("scores", &tune::Tried::scores, "Fold by fold.");
  nb::class_<SearchOutcome>(m, "SearchOutcome")
      .def_ro("metric", &SearchOutcome::metric)
      .def_ro("higher_is_better", &SearchOutcome::higher_is_better)
      .def_ro("tried", &SearchOutcome::tried, "Best first.")
      .def_ro("notes", &SearchOutcome::notes);
  m.def("search", &search, nb::arg("table"), nb::arg("request"), nb::arg("asked"));
}

}  // namespace accrete::python
