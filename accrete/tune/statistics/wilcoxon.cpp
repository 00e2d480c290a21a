#include "accrete/tune/statistics/wilcoxon.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/tune/statistics/distribution.hpp"
#include "accrete/tune/statistics/ranks.hpp"

namespace accrete::tune {
namespace {

constexpr std::size_t max_exact = 50;

/// P(sum of the positive ranks <= limit) if each of the ranks 1 .. n has a random sign.
double sum_below(std::size_t n, std::size_t limit) {
  std::vector<double> chance{1.0};  // probability of each sum, for the ranks so far
  for (std::size_t rank = 1; rank <= n; ++rank) {
    std::vector<double> next(chance.size() + rank, 0.0);
    for (std::size_t sum = 0; sum < chance.size(); ++sum) {
      next[sum] += 0.5 * chance[sum];
      next[sum + rank] += 0.5 * chance[sum];
    }
    chance = std::move(next);
  }
  double total = 0.0;
  for (std::size_t sum = 0; sum <= limit && sum < chance.size(); ++sum) total += chance[sum];
  return total;
}

}  // namespace

Wilcoxon wilcoxon(std::span<const double> differences) {
  if (differences.empty()) throw core::DataError("Wilcoxon's test needs at least one difference");
  std::vector<double> sizes;
  for (const double d : differences) sizes.push_back(std::abs(d));
  const auto rank = ranks(sizes, Better::lower);
  Wilcoxon test;
  double squares = 0.0;
  for (std::size_t i = 0; i < rank.size(); ++i) {
    test.plus += differences[i] > 0.0 ? rank[i] : differences[i] == 0.0 ? 0.5 * rank[i] : 0.0;
    test.minus += differences[i] < 0.0 ? rank[i] : differences[i] == 0.0 ? 0.5 * rank[i] : 0.0;
    squares += rank[i] * rank[i];
  }
  std::ranges::sort(sizes);
  const bool distinct = sizes.front() > 0.0 && std::ranges::adjacent_find(sizes) == sizes.end();
  const double smaller = std::min(test.plus, test.minus);
  test.exact = distinct && sizes.size() <= max_exact;
  const double one_side = test.exact
                              ? sum_below(sizes.size(), static_cast<std::size_t>(smaller))
                              : normal_cdf((smaller - 0.5 * (test.plus + test.minus)) / std::sqrt(0.25 * squares));
  test.p = std::min(1.0, 2.0 * one_side);
  return test;
}

}  // namespace accrete::tune
