#pragma once
// A method whose scores are a formula, and records in memory: what a search makes of scores can be known beforehand.

#include <map>
#include <mutex>
#include <set>

#include "accrete/data/generate.hpp"
#include "accrete/tune/method.hpp"

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

class MemoryRecords : public Records {
 public:
  std::optional<FitRecord> find(const FitKey& key) override {
    const std::scoped_lock lock(mutex_);
    const auto at = fits_.find(text(key));
    return at == fits_.end() ? std::nullopt : std::optional(at->second);
  }
  void keep(const FitKey& key, const FitRecord& record) override {
    const std::scoped_lock lock(mutex_);
    fits_.emplace(text(key), record);
  }
  std::size_t size() const { return fits_.size(); }

 private:
  static std::string text(const FitKey& key) {
    std::string text = key.study + "|" + std::to_string(key.data) + "|" + key.method;
    for (const auto number : {key.repeat, key.outer_fold, key.inner_fold, static_cast<std::int64_t>(key.seed)})
      text += "|" + std::to_string(number);
    return text;
  }

  std::mutex mutex_;
  std::map<std::string, FitRecord> fits_;
};

inline const data::Table& two_classes() {
  static const data::Table table = data::generator_named("ringnorm2").make(60, 3);
  return table;
}

}  // namespace accrete::tune
