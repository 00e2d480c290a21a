#pragma once
// Runs a list of fits. Each is looked up in the records, or else run on one thread of any rank and recorded.
//
// Usage: construct with what all fits share, call run() any number of times, then read the counts.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "accrete/comm/communicator.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/tune/method.hpp"
#include "accrete/tune/records.hpp"

namespace accrete::tune {

struct PlannedFit {
  const Method* method;
  const data::Split* split;
  Settings settings;
  FitKey key;
};

/// The seed of a fit depends on the given seed, the data, the folds and the method's name, but not on the parameters,
/// so that all settings use the same draws. It is below 2^53, which every JSON reader represents exactly.
std::uint64_t seed_of(std::uint64_t given, const FitKey& key, const std::string& method);

struct RunOptions {
  std::vector<std::size_t> units;                           ///< numbers of units to score, ascending
  Records* records = nullptr;                               ///< null: no lookup and no recording
  std::size_t planned = 0;                                  ///< fits of all calls of run() together
  std::function<void(std::size_t, std::size_t)> done = {};  ///< finished fits, planned fits; one thread at a time
  std::function<bool()> stop = {};                          ///< polled after each step, on several threads
  std::string metric = {};                                  ///< a record must have this metric; empty: any
  /// Ranks that share the fits. All run the same lists; only rank 0 uses its records.
  comm::Communicator* comm = nullptr;
};

class Runs {
 public:
  Runs(const Problem& problem, RunOptions options, core::Workers& workers)
      : problem_(problem), options_(std::move(options)), workers_(workers) {}

  /// One record per fit, in order, independent of the number of threads and ranks; empty if any rank stopped. Throws as
  /// fits and records do.
  std::vector<FitRecord> run(std::span<const PlannedFit> fits);

  std::size_t done() const { return done_; }
  std::size_t found() const { return found_; }  ///< finished fits that came from the records
  std::size_t planned() const { return options_.planned; }

 private:
  using Slots = std::vector<std::optional<FitRecord>>;

  std::optional<FitRecord> find(const PlannedFit& fit);
  void run_threads(std::span<const PlannedFit> fits, std::span<const std::size_t> which, Slots& slots);
  void find_shared(std::span<const PlannedFit> fits, Slots& slots);
  void run_shared(std::span<const PlannedFit> fits, std::span<const std::size_t> which, Slots& slots);
  void run_on_device(std::span<const PlannedFit> fits, std::span<const std::size_t> which, Slots& slots);
  void fill(const PlannedFit& fit, std::optional<FitRecord>& slot, FitRecord record, bool found);

  const Problem& problem_;
  RunOptions options_;
  core::Workers& workers_;
  std::mutex counting_;
  std::size_t done_ = 0, found_ = 0;
};

}  // namespace accrete::tune
