#include "report/model/classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace accrete::report {
namespace {

constexpr std::size_t bins = 10;

}  // namespace

ConfusionClasses choose_confusion_classes(const LabelledRows& data) {
  const auto& classes = data.model.classes;
  ConfusionClasses shown{{}, std::vector<std::size_t>(classes.size()), 0};
  std::vector<double> count(classes.size(), 0.0);
  const metric::LabelledPredictions c = data.with({});
  for (std::size_t r = 0; r < c.rows(); ++r) count[c.label(r)] += c.weight(r);
  std::vector<std::size_t> order(classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (classes.size() > ConfusionClasses::max_size) {
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return count[a] > count[b]; });
    order.resize(ConfusionClasses::max_size - 1);
    std::ranges::sort(order);
    shown.merged = classes.size() - order.size();
  }
  std::fill(shown.indices.begin(), shown.indices.end(), order.size());
  for (const std::size_t k : order) {
    shown.indices[k] = shown.names.size();
    shown.names.push_back(classes[k]);
  }
  if (shown.merged > 0) shown.names.push_back(fmt::format("{} others", shown.merged));
  return shown;
}

std::vector<std::vector<double>> confusion(const metric::LabelledPredictions& c, const ConfusionClasses& shown) {
  std::vector<std::vector<double>> counts(shown.names.size(), std::vector<double>(shown.names.size(), 0.0));
  for (std::size_t r = 0; r < c.rows(); ++r)
    counts[shown.indices[c.label(r)]][shown.indices[model::best_class(c.predictions.row(r))]] += c.weight(r);
  return counts;
}

std::vector<CalibrationBin> calibration(const metric::LabelledPredictions& c) {
  std::vector<CalibrationBin> result(bins);
  for (std::size_t r = 0; r < c.rows(); ++r) {
    const std::size_t k = c.predictions.cols == 2 ? 1 : model::best_class(c.predictions.row(r));
    const double p = c.predictions(r, k);
    CalibrationBin& bin = result[std::min(bins - 1, static_cast<std::size_t>(p * bins))];
    bin.predicted += c.weight(r) * p;
    bin.observed += c.label(r) == k ? c.weight(r) : 0.0;
    bin.rows += c.weight(r);
  }
  for (CalibrationBin& bin : result)
    if (bin.rows > 0.0) bin.predicted /= bin.rows, bin.observed /= bin.rows;
  return result;
}

}  // namespace accrete::report
