// Binds tune::search. It runs without the GIL.

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

using RowIndices = std::vector<std::size_t>;

/// The arguments of a search, besides those of a fit.
struct SearchRequest {
  std::vector<std::pair<std::string, std::vector<std::string>>> axes = {};
  std::vector<std::size_t> units = {};
  std::size_t folds = 5;
  std::vector<std::pair<RowIndices, RowIndices>> splits = {};  ///< training and test rows; empty: random folds
  std::string metric = {};
  std::uint64_t seed = 0;
};

struct SearchOutcome {
  std::string metric;
  bool higher_is_better = false;
  std::vector<tune::SearchTrial> tried;  ///< best first
  std::vector<std::string> notes;        ///< rendered, one line each
};

/// Stops a search on Ctrl-C with KeyboardInterrupt. Only the calling thread may handle signals; it tells the others.
class SignalCheck {
 public:
  bool interrupted() {
    if (std::this_thread::get_id() == caller_ && !interrupted_) {
      const nb::gil_scoped_acquire acquired;
      if (PyErr_CheckSignals() != 0) {
        error_.emplace();
        interrupted_ = true;
      }
    }
    return interrupted_;
  }
  void rethrow() {
    if (error_) throw *std::exchange(error_, std::nullopt);
  }

 private:
  std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<bool> interrupted_ = false;
  std::optional<nb::python_error> error_;
};

/// Values are checked and written in canonical form.
tune::Grid grid_of(const SearchRequest& request, const tune::Method& method) {
  tune::Grid grid;
  for (const auto& [name, values] : request.axes) {
    tune::Axis axis{name, {}};
    for (const std::string& value : values) axis.values.push_back(method.canonical({name, value}));
    grid.axes.push_back(std::move(axis));
  }
  grid.units = request.units;
  if (grid.size() > tune::max_points)
    throw core::UsageError(
        fmt::format("the grid has {} combinations; at most {} are allowed", grid.size(), tune::max_points));
  return grid;
}

SearchOutcome search(const data::Table& table, const Request& request, const SearchRequest& asked) {
  SignalCheck signals;
  SearchOutcome outcome;
  {
    const nb::gil_scoped_release released;
    core::Workers workers(request.threads);
    const cuda::DeviceChoice choice = cuda::choose(request.device);
    const boosting::FitOptions fit = request.options();
    const auto problem = tune::read_problem(table, fit.targets, fit.task);
    const tune::Boosted method(fit, problem.target.task, choice.device.get());
    tune::SearchOptions options;
    options.grid = grid_of(asked, method);
    options.folds = asked.folds;
    options.metric = asked.metric;
    options.seed = asked.seed;
    options.stop = [&] { return signals.interrupted(); };
    for (const auto& [train, test] : asked.splits) options.cuts.push_back({train, test});
    tune::SearchResult result = tune::search(problem, method, options, workers);
    outcome = {result.metric, result.better == tune::Better::higher, std::move(result.tried), {}};
    if (!choice.device && !choice.note.empty()) outcome.notes.push_back(choice.note);
    const auto scarce = tune::note_scarce_class(problem, options.folds);
    if (scarce && options.cuts.empty()) outcome.notes.push_back(*scarce);
  }
  signals.rethrow();
  return outcome;
}

}  // namespace

void bind_search(nb::module_& m) {
  nb::class_<SearchRequest>(m, "SearchRequest", "The arguments of a search, besides those of a fit.")
      .def(nb::init<>())
      .def_rw("axes", &SearchRequest::axes)
      .def_rw("units", &SearchRequest::units)
      .def_rw("folds", &SearchRequest::folds)
      .def_rw("splits", &SearchRequest::splits)
      .def_rw("metric", &SearchRequest::metric)
      .def_rw("seed", &SearchRequest::seed);
  nb::class_<tune::SearchTrial>(m, "SearchTrial", "One candidate and its scores.")
      .def_ro("settings", &tune::SearchTrial::settings)
      .def_ro("units", &tune::SearchTrial::units)
      .def_ro("scores", &tune::SearchTrial::scores, "One per fold.");
  nb::class_<SearchOutcome>(m, "SearchOutcome")
      .def_ro("metric", &SearchOutcome::metric)
      .def_ro("higher_is_better", &SearchOutcome::higher_is_better)
      .def_ro("tried", &SearchOutcome::tried, "Best first.")
      .def_ro("notes", &SearchOutcome::notes);
  m.def("search", &search, nb::arg("table"), nb::arg("request"), nb::arg("asked"));
}

}  // namespace accrete::python
