// Binds tune::search and the parts of a search that other processes run. They run without the GIL.

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>

#include "accrete/backend/cuda/open_named.hpp"
#include "accrete/core/error.hpp"
#include "accrete/tune/boosted.hpp"
#include "accrete/tune/runs/memory_records.hpp"
#include "accrete/tune/search.hpp"
#include "bindings.hpp"
#include "request.hpp"

namespace accrete::python {
namespace nb = nanobind;
namespace {

using RowIndices = std::vector<std::size_t>;

/// The arguments of a search, in addition to those of a fit.
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
  std::size_t found = 0;                 ///< fits that were in the given records
};

/// Stops a search on Ctrl-C with KeyboardInterrupt. Only the calling thread may handle signals; it stops the others.
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

/// Checks the values and writes them in canonical form.
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

/// The arguments of tune::search.
struct Search {
  const tune::Problem& problem;
  const tune::Method& method;
  tune::SearchOptions& options;
  core::Workers& workers;
  std::string note;  ///< about the device; empty: none
};

/// Calls run(arguments of the search) without the GIL; raises on Ctrl-C.
template <class Run>
void run_search(const data::Table& table, const Request& request, const SearchRequest& asked, Run&& run) {
  SignalCheck signals;
  {
    const nb::gil_scoped_release released;
    core::Workers workers(request.threads);
    const cuda::DeviceChoice choice = cuda::open_named(request.device);
    const boosting::FitOptions fit = request.options();
    const auto problem = tune::read_problem(table, fit.targets, fit.task);
    const tune::Boosted method(fit, problem.target.task, choice.device.get());
    tune::SearchOptions options;
    options.grid = grid_of(asked, method);
    options.folds = asked.folds;
    options.metric = asked.metric;
    options.seed = asked.seed;
    options.stop = [&] { return signals.interrupted(); };
    for (const auto& [train, test] : asked.splits) options.splits.push_back({train, test});
    run(Search{problem, method, options, workers, choice.device ? "" : choice.note});
  }
  signals.rethrow();
}

/// `records`: fits of other processes, which are not repeated; null: none.
SearchOutcome search(const data::Table& table, const Request& request, const SearchRequest& asked,
                     tune::MemoryRecords* records) {
  SearchOutcome outcome;
  run_search(table, request, asked, [&](const Search& s) {
    s.options.records = records;
    tune::SearchResult result = tune::search(s.problem, s.method, s.options, s.workers);
    outcome = {result.metric, result.better == tune::Better::higher, std::move(result.tried), {}, result.found};
    if (!s.note.empty()) outcome.notes.push_back(s.note);
    const auto scarce = tune::note_scarce_class(s.problem, s.options.folds);
    if (scarce && s.options.splits.empty()) outcome.notes.push_back(*scarce);
  });
  return outcome;
}

std::unique_ptr<tune::MemoryRecords> search_part(const data::Table& table, const Request& request,
                                                 const SearchRequest& asked, std::size_t index, std::size_t parts) {
  auto records = std::make_unique<tune::MemoryRecords>();
  run_search(table, request, asked, [&](const Search& s) {
    s.options.records = records.get();
    tune::run_part(s.problem, s.method, s.options, s.workers, {index, parts});
  });
  return records;
}

/// The fields of a key and a record, as pickled.
using PackedKey =
    std::tuple<std::string, std::uint64_t, std::string, std::int64_t, std::int64_t, std::int64_t, std::uint64_t>;
using PackedPrefix = std::pair<std::size_t, std::vector<std::pair<std::string, double>>>;
using PackedFit = std::tuple<PackedKey, std::size_t, double, std::vector<PackedPrefix>>;

std::vector<PackedFit> pack(const tune::MemoryRecords& records) {
  std::vector<PackedFit> fits;
  for (const auto& [key, record] : records.all()) {
    std::vector<PackedPrefix> prefixes;
    for (const tune::PrefixScores& prefix : record.prefixes) prefixes.emplace_back(prefix.units, prefix.metrics);
    fits.emplace_back(PackedKey(key.study, key.data, key.method, key.repeat, key.outer_fold, key.inner_fold, key.seed),
                      record.units, record.seconds, std::move(prefixes));
  }
  return fits;
}

void unpack(const std::vector<PackedFit>& fits, tune::MemoryRecords& records) {
  for (const auto& [key, units, seconds, prefixes] : fits) {
    const auto& [study, data, method, repeat, outer_fold, inner_fold, seed] = key;
    tune::FitRecord record{.prefixes = {}, .units = units, .seconds = seconds};
    for (const auto& [prefix_units, metrics] : prefixes) record.prefixes.push_back({prefix_units, metrics});
    records.keep({.study = study,
                  .data = data,
                  .method = method,
                  .repeat = repeat,
                  .outer_fold = outer_fold,
                  .inner_fold = inner_fold,
                  .seed = seed},
                 record);
  }
}

void bind_records(nb::module_& m) {
  nb::class_<tune::MemoryRecords>(m, "Records", "Finished fits of a search, to send between processes.")
      .def(nb::init<>())
      .def("__len__", &tune::MemoryRecords::size)
      .def("update",
           [](tune::MemoryRecords& records, const tune::MemoryRecords& more) {
             for (const auto& [key, record] : more.all()) records.keep(key, record);
           })
      .def("__getstate__", &pack)
      .def("__setstate__", [](tune::MemoryRecords& records, const std::vector<PackedFit>& fits) {
        new (&records) tune::MemoryRecords();
        unpack(fits, records);
      });
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
      .def_ro("notes", &SearchOutcome::notes)
      .def_ro("found", &SearchOutcome::found, "Fits that were in the given records.");
  bind_records(m);
  m.def("search", &search, nb::arg("table"), nb::arg("request"), nb::arg("asked"), nb::arg("records") = nb::none());
  m.def("search_part", &search_part, nb::arg("table"), nb::arg("request"), nb::arg("asked"), nb::arg("index"),
        nb::arg("parts"), "The records of every parts-th fit, starting at index.");
}

}  // namespace accrete::python
