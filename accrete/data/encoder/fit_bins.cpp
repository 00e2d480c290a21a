#include "accrete/data/encoder/fit_bins.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "accrete/data/encoder/fit_input.hpp"
#include "accrete/data/encoder/ramps.hpp"
#include "accrete/data/encoder/target_knots.hpp"

namespace accrete::data {
namespace {

/// A distinct number of the column and the total weight of its rows.
struct WeightedNumber {
  float x;
  double weight;

  auto operator<=>(const WeightedNumber&) const = default;
};

/// Distinct numbers, ascending. Equal numbers are sorted by weight, which fixes the order of their sum.
std::vector<WeightedNumber> cells_of(std::span<const float> values, const WeightedRows& from) {
  std::vector<WeightedNumber> cells;
  cells.reserve(from.rows.size());
  for (const std::size_t r : from.rows)
    if (!std::isnan(values[r])) cells.push_back({values[r] + 0.0f, from.weight(r)});  // + 0.0f turns -0 into 0
  std::ranges::sort(cells);
  std::size_t kept = 0;
  for (const WeightedNumber& cell : cells)
    if (kept > 0 && cells[kept - 1].x == cell.x)
      cells[kept - 1].weight += cell.weight;
    else
      cells[kept++] = cell;
  cells.resize(kept);
  return cells;
}

/// Compares shares as products, which are exact for integer weights, so that a repeated row equals a weighted one.
/// Skips a number too close to the previous knot.
std::vector<float> quantiles(const std::vector<WeightedNumber>& cells, double total, std::size_t bins) {
  std::vector<float> knots;
  const auto add = [&](float x) {
    if (knots.empty() || x - knots.back() >= min_bin_width) knots.push_back(x);
  };
  double reached = 0.0;
  std::size_t next = 0;
  for (const WeightedNumber& cell : cells) {
    reached += cell.weight;
    const std::size_t before = next;
    while (next < bins && reached * static_cast<double>(bins) >= static_cast<double>(next) * total) ++next;
    if (next > before) add(cell.x);
  }
  add(cells.back().x);
  return knots;
}

/// Columns with at least this many bins also get boundaries that follow the target.
constexpr std::size_t min_target_bins = 16;
/// Number of candidates for these boundaries.
constexpr std::size_t split_candidates = 255;

/// Boundaries that split the weight about equally. A number with more than its share is a boundary of its own, so that
/// in a column of mostly zeros the other numbers determine the rest.
std::vector<float> balanced_numbers(const std::vector<WeightedNumber>& cells, double total, std::size_t bins) {
  std::vector<bool> heavy(cells.size(), false);
  double rest = total;
  std::size_t rest_bins = bins;
  for (bool found = true; found && rest_bins > 1;) {
    found = false;
    const double share = rest / static_cast<double>(rest_bins);
    for (std::size_t i = 0; i < cells.size() && rest_bins > 1; ++i)
      if (!heavy[i] && cells[i].weight >= share) {
        heavy[i] = found = true;
        rest -= cells[i].weight;
        --rest_bins;
      }
  }
  const double share = rest / static_cast<double>(rest_bins);
  std::vector<float> numbers{cells.front().x};
  double reached = 0.0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!heavy[i]) reached += cells[i].weight;
    if (!heavy[i] && reached < share && i + 1 < cells.size()) continue;
    if (cells[i].x > numbers.back()) numbers.push_back(cells[i].x);
    reached = 0.0;
  }
  return numbers;
}

/// Half of the knots balance the weight; the other half are pairs around the splits of a small tree on the column, so
/// that a ramp can be as steep as the target.
std::vector<float> informed_knots(std::span<const float> values, const WeightedRows& from,
                                  const std::vector<WeightedNumber>& cells, double total, std::size_t bins) {
  std::vector<float> numbers(cells.size());
  std::ranges::transform(cells, numbers.begin(), &WeightedNumber::x);
  std::vector<float> knots = numbers;
  if (numbers.size() > bins + 1) {
    knots = balanced_numbers(cells, total, bins / 2);
    const std::vector<float> candidates = balanced_numbers(cells, total, split_candidates);
    const std::vector<float> pairs = target_knots(values, from, numbers, candidates, bins / 4);
    knots.insert(knots.end(), pairs.begin(), pairs.end());
    std::ranges::sort(knots);
  }
  std::vector<float> apart;
  for (const float x : knots)
    if (apart.empty() || x - apart.back() >= min_bin_width) apart.push_back(x);
  return apart;
}

/// Mean and deviation of every ramp, in one pass over the numbers: a ramp is 0 before its bin and 1 after it.
void fit_moments(Input& input, const std::vector<WeightedNumber>& cells, double total) {
  // Below this, one side of the bin has less than 1e-12 of the weight, which is within round-off of the sums.
  constexpr double min_deviation = 1e-6;
  auto cell = cells.begin();
  double below = 0.0;  // weight up to the bin's first knot
  for (std::size_t j = 0; j + 1 < input.knots.size(); ++j) {
    const double low = input.knots[j], width = input.knots[j + 1] - low;
    for (; cell->x <= low; ++cell) below += cell->weight;
    const auto first = cell;
    double inside = 0.0, sum = 0.0;
    for (; cell->x < input.knots[j + 1]; ++cell) {
      inside += cell->weight;
      sum += cell->weight * ((cell->x - low) / width);
    }
    const double above = total - below - inside, mean = (sum + above) / total;
    double squares = below * mean * mean + above * (1.0 - mean) * (1.0 - mean);
    for (auto c = first; c != cell; ++c) {
      const double difference = (c->x - low) / width - mean;
      squares += c->weight * difference * difference;
    }
    below += inside;
    const double deviation = std::sqrt(squares / total);
    input.bin_means.push_back(mean);
    input.bin_scales.push_back(deviation > min_deviation ? deviation : no_spread);
  }
}

}  // namespace

void fit_bins(Input& input, std::span<const float> values, const WeightedRows& from, std::size_t bins) {
  const std::vector<WeightedNumber> cells = cells_of(values, from);
  if (cells.size() < 3) return;  // the linear feature already separates two values
  const double total = std::accumulate(cells.begin(), cells.end(), 0.0,
                                       [](double sum, const WeightedNumber& cell) { return sum + cell.weight; });
  const bool informed = bins >= min_target_bins && from.targets.values;
  std::vector<float> knots =
      informed ? informed_knots(values, from, cells, total, bins) : quantiles(cells, total, bins);
  if (knots.size() < 3) return;
  for (std::size_t j = 1; j < knots.size(); ++j)
    if (!(knots[j] - knots[j - 1] <= max_bin_width)) return;
  input.knots = std::move(knots);
  fit_moments(input, cells, total);
}

}  // namespace accrete::data
