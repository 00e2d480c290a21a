#include "accrete/data/encoder/target_knots.hpp"

#include <algorithm>
#include <cmath>

#include "accrete/core/matrix.hpp"

namespace accrete::data {
namespace {

constexpr double min_leaf_rows = 10.0;

/// Sums per cell. A cell has the numbers from one candidate (exclusive) to the next (inclusive); its sums are the
/// weight, then one sum per class, or one sum of deviations from the mean per target.
struct CellSums {
  core::Matrix<double> sums;  ///< cells x (1 + outputs)
  double min_leaf_weight = 0.0;
};

std::vector<double> target_means(const RowTargets& targets, std::span<const std::size_t> rows) {
  std::vector<double> means(targets.values->cols(), 0.0);
  for (const std::size_t r : rows)
    for (std::size_t k = 0; k < means.size(); ++k) means[k] += (*targets.values)(r, k);
  for (double& mean : means) mean /= static_cast<double>(rows.size());
  return means;
}

CellSums sum_cells(std::span<const float> values, const WeightedRows& from, std::span<const float> candidates) {
  const RowTargets& targets = from.targets;
  const std::size_t outputs = targets.classes > 0 ? targets.classes : targets.values->cols();
  const std::vector<double> means = target_means(targets, from.rows);
  CellSums cells{core::Matrix<double>(candidates.size(), 1 + outputs)};
  double total = 0.0;
  for (const std::size_t r : from.rows) {
    if (std::isnan(values[r])) continue;
    const auto cell =
        static_cast<std::size_t>(std::ranges::lower_bound(candidates, values[r] + 0.0f) - candidates.begin());
    const double weight = from.weight(r);
    total += weight;
    cells.sums(cell, 0) += weight;
    if (targets.classes > 0)
      cells.sums(cell, 1 + static_cast<std::size_t>((*targets.values)(r, 0))) += weight;
    else
      for (std::size_t k = 0; k < outputs; ++k)
        cells.sums(cell, 1 + k) += weight * ((*targets.values)(r, k) - means[k]);
  }
  cells.min_leaf_weight = min_leaf_rows * total / static_cast<double>(from.rows.size());
  return cells;
}

/// Cells first .. last - 1 and their best split, which follows cell `split`.
struct Leaf {
  std::size_t first, last;
  std::size_t split = 0;
  double gain = 0.0;
};

/// Sum over the outputs of sum^2 / weight: the squared error that a constant per leaf explains.
double explained(std::span<const double> sums) {
  double squares = 0.0;
  for (const double s : sums.subspan(1)) squares += s * s;
  return sums[0] > 0.0 ? squares / sums[0] : 0.0;
}

Leaf best_split(const CellSums& cells, std::size_t first, std::size_t last) {
  const std::size_t width = cells.sums.cols();
  std::vector<double> left(width, 0.0), right(width, 0.0);
  for (std::size_t c = first; c < last; ++c)
    for (std::size_t k = 0; k < width; ++k) right[k] += cells.sums(c, k);
  const double whole = explained(right);
  Leaf leaf{first, last};
  for (std::size_t c = first; c + 1 < last; ++c) {
    for (std::size_t k = 0; k < width; ++k) left[k] += cells.sums(c, k), right[k] -= cells.sums(c, k);
    if (left[0] < cells.min_leaf_weight || right[0] < cells.min_leaf_weight) continue;
    const double gain = explained(left) + explained(right) - whole;
    if (gain > leaf.gain) leaf.split = c, leaf.gain = gain;
  }
  return leaf;
}

}  // namespace

std::vector<float> target_knots(std::span<const float> values, const WeightedRows& from, std::span<const float> numbers,
                                std::span<const float> candidates, std::size_t max_splits) {
  const CellSums cells = sum_cells(values, from, candidates);
  std::vector<Leaf> leaves{best_split(cells, 0, candidates.size())};
  std::vector<float> knots;
  for (std::size_t splits = 0; splits < max_splits; ++splits) {
    const auto best = std::ranges::max_element(leaves, {}, &Leaf::gain);
    if (!(best->gain > 0.0)) break;
    const Leaf leaf = *best;
    *best = best_split(cells, leaf.first, leaf.split + 1);
    leaves.push_back(best_split(cells, leaf.split + 1, leaf.last));
    const float below = candidates[leaf.split];
    knots.push_back(below);
    knots.push_back(*std::ranges::upper_bound(numbers, below));
  }
  return knots;
}

}  // namespace accrete::data
