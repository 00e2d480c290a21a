#include "report/classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace accrete::report {
namespace {

constexpr std::size_t bins = 10;

}  // namespace

ShownClasses shown_classes(const Labelled& data) {
  const auto& classes = data.model.classes;
  ShownClasses shown{{}, std::vector<std::size_t>(classes.size()), 0};
  std::vector<double> count(classes.size(), 0.0);
  const metric::Case c = data.with({});
  for (std::size_t r = 0; r < c.rows(); ++r) count[c.label(r)] += c.weight(r);
  std::vector<std::size_t> order(classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (classes.size() > ShownClasses::most) {
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return count[a] > count[b]; });
    order.resize(ShownClasses::most - 1);
    std::ranges::sort(order);
    shown.joined = classes.size() - order.size();
  }
  std::fill(shown.places.begin(), shown.places.end(), order.size());
  for (const std::size_t k : order) {
    shown.places[k] = shown.names.size();
    shown.names.push_back(classes[k]);
  }
  if (shown.joined > 0) shown.names.push_back(fmt::format("{} others", shown.joined));
  return shown;
}

std::vector<std::vector<double>> confusion(const metric::Case& c, const ShownClasses& shown) {
  std::vector<std::vector<double>> counts(shown.names.size(), std::vector<double>(shown.names.size(), 0.0));
  for (std::size_t r = 0; r < c.rows(); ++r)
    counts[shown.places[c.label(r)]][shown.places[model::best_class(c.predictions.row(r))]] += c.weight(r);
  return counts;
}

std::vector<CalibrationBin> calibration(const metric::Case& c) {
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
