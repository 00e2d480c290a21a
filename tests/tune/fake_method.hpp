#pragma once
// A method whose scores are a formula: what a search makes of them can be known beforehand.

#include <mutex>
#include <set>

#include "accrete/data/generate.hpp"
#include "accrete/tune/method.hpp"
#include "accrete/tune/runs/memory_records.hpp"

namespace accrete::tune {

/// The score of a fit, in the place of accuracy.
using Formula = std::function<double(const FitTask&, std::size_t units)>;

class FakeMethod : public Method {
 public:
  explicit FakeMethod(Formula formula) : formula_(std::move(formula)) {}

  std::string name() const override { return "fake"; }
  std::string canonical(const Setting& setting) const override { return setting.second; }
  std::string text(const Settings& settings, std::size_t units) const override {
    std::string text = "fake units=" + std::to_string(units);
    for (const auto& [name, value] : settings) text += " " + name + "=" + value;
    return text;
  }
  std::optional<FitRecord> fit(const FitTask& task, const std::function<bool()>& stop) const override {
    if (stop && stop()) return std::nullopt;
    FitRecord record;
    for (const std::size_t units : task.units)
      record.prefixes.push_back({units, {{"accuracy", formula_(task, units)}}});
    const std::scoped_lock lock(mutex_);
    splits_.push_back(task.split);
    seeds_.insert(task.seed);
    return record;
  }

  std::size_t fits() const { return splits_.size(); }
  const std::vector<data::Split>& splits() const { return splits_; }  ///< of the fits; in order with one thread
  const std::set<std::uint64_t>& seeds() const { return seeds_; }

 private:
  Formula formula_;
  mutable std::mutex mutex_;
  mutable std::vector<data::Split> splits_;
  mutable std::set<std::uint64_t> seeds_;
};

inline const data::Table& two_classes() {
  static const data::Table table = data::generator_named("ringnorm2").make(60, 3);
  return table;
}

}  // namespace accrete::tune
