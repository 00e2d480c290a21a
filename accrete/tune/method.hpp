#pragma once
// The interface of a method that can be searched over or compared: it fits training rows and scores test rows, given
// parameters and a seed.
//
// A new method is one more class like tune/boosted; folds, seeds, records and threads are handled elsewhere.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "accrete/data/split.hpp"
#include "accrete/tune/problem.hpp"
#include "accrete/tune/records.hpp"

namespace accrete::tune {

/// A parameter and its value, both as text.
using Setting = std::pair<std::string, std::string>;
using Settings = std::vector<Setting>;

/// One fit.
struct FitTask {
  const Problem& problem;
  const data::Split& split;            ///< rows to fit on, rows to score
  const Settings& settings;            ///< excludes units and seed
  std::span<const std::size_t> units;  ///< numbers of units to score, ascending; the fit has the last one
  std::uint64_t seed = 0;
};

class Method {
 public:
  virtual ~Method() = default;

  /// One word, which also determines seeds.
  virtual std::string name() const = 0;

  /// The canonical text of the value: 0.5 for 5e-1. Throws UsageError for a parameter that is unknown, cannot be
  /// searched over, or is outside its range.
  virtual std::string canonical(const Setting& setting) const = 0;

  /// Name, version and all parameters except the seed; equal texts mean equal fits. Throws UsageError for contradictory
  /// settings.
  virtual std::string text(const Settings& settings, std::size_t units) const = 0;

  /// Every metric of the task on the test rows, for each entry of task.units. Runs on the calling thread; calls may be
  /// concurrent. Returns nullopt if `stop`, which it polls, returned true.
  virtual std::optional<FitRecord> fit(const FitTask& task, const std::function<bool()>& stop) const = 0;

  /// True if fit_many runs fits concurrently on a device.
  virtual bool has_device() const { return false; }
  /// Runs all tasks on the device and calls done(task, record) on the calling thread. Returns false if stopped.
  virtual bool fit_many(std::span<const FitTask>, const std::function<void(std::size_t, FitRecord)>&,
                        const std::function<bool()>&) const {
    return false;
  }
};

}  // namespace accrete::tune
