#pragma once
// The metrics. To add one, write a file like accuracy.hpp and add its name here; reports, flags and Python names are
// derived from this list.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accrete/core/named_list.hpp"
#include "accrete/data/target.hpp"
#include "accrete/metric/accuracy.hpp"
#include "accrete/metric/auc.hpp"
#include "accrete/metric/balanced_accuracy.hpp"
#include "accrete/metric/f1.hpp"
#include "accrete/metric/log_loss.hpp"
#include "accrete/metric/mae.hpp"
#include "accrete/metric/mape.hpp"
#include "accrete/metric/pinball.hpp"
#include "accrete/metric/r2.hpp"
#include "accrete/metric/rmse.hpp"

namespace accrete::metric {

using All = core::NamedTypes<Accuracy, LogLoss, Auc, BalancedAccuracy, F1, Rmse, Mae, R2, Mape, Pinball>;

/// A metric selected at run time: an index into the list.
struct Metric {
  std::size_t index = 0;

  static Metric named(std::string_view name) { return {All::index_of(name, "metric")}; }
  const char* name() const { return All::names[index]; }

  double value(const LabelledPredictions& c) const {
    return All::visit(index, [&](auto m) { return decltype(m)::value(c); });
  }
  bool higher_is_better() const {
    return All::visit(index, [](auto m) { return decltype(m)::higher_is_better; });
  }
  /// True for a value between 0 and 1 that is shown in percent.
  bool is_share() const {
    return All::visit(index, [](auto m) { return decltype(m)::is_share; });
  }
  bool fits(data::Task task) const {
    return All::visit(index, [&](auto m) { return decltype(m)::classes == (task != data::Task::regression); });
  }
};

/// The metric that compares models of this task.
inline const char* primary(data::Task task) {
  return task == data::Task::regression ? Rmse::name : Accuracy::name;
}

/// Every metric that fits the task, in the order of the list.
inline std::vector<std::pair<std::string, double>> all_for(data::Task task, const LabelledPredictions& c) {
  std::vector<std::pair<std::string, double>> values;
  for (std::size_t i = 0; i < All::size; ++i)
    if (const Metric metric{i}; metric.fits(task)) values.emplace_back(metric.name(), metric.value(c));
  return values;
}

/// The names of the metrics that fit the task: "rmse, mae, r2".
inline std::string names_for(data::Task task) {
  std::string names;
  for (std::size_t i = 0; i < All::size; ++i)
    if (const Metric metric{i}; metric.fits(task)) names += (names.empty() ? "" : ", ") + std::string(metric.name());
  return names;
}

}  // namespace accrete::metric
