#pragma once
// Something that is searched over or compared: it fits some rows and scores others, given parameters and a seed.
//
// tune/boosted is the boosted network. Another method is one more class; folds, seeds, records and threads are none of
// its business.

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
  const Settings& settings;            ///< neither units nor seed
  std::span<const std::size_t> units;  ///< numbers of units to score, ascending; the fit has the last
  std::uint64_t seed = 0;
};

class Method {
 public:
  virtual ~Method() = default;

  /// One word; seeds are drawn for it.
  virtual std::string name() const = 0;

  /// The value as the method itself writes it: 0.5 for 5e-1. Throws UsageError for a parameter that is unknown, not to
  /// be searched over, or outside its range.
  virtual std::string canonical(const Setting& setting) const = 0;

  /// Name, version and every parameter but the seed: equal texts mean equal fits. Throws UsageError for settings that
  /// cannot go together.
  virtual std::string text(const Settings& settings, std::size_t units) const = 0;

  /// Every metric of the task on the test rows, for each number of units asked for. Runs on the calling thread alone;
  /// many may run at once. Nothing when `stop`, asked now and then, said so.
  virtual std::optional<FitRecord> fit(const FitTask& task, const std::function<bool()>& stop) const = 0;

  /// Whether many fits are better asked for together: there is a machine that does them at once.
  virtual bool has_machine() const { return false; }
  /// All of them, on that machine: done(which, record) as they come, by the calling thread. Whether none is missing.
  virtual bool fit_many(std::span<const FitTask>, const std::function<void(std::size_t, FitRecord)>&,
                        const std::function<bool()>&) const {
    return false;
  }
};

}  // namespace accrete::tune
