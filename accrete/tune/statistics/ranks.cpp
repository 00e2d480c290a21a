#include "accrete/tune/statistics/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "accrete/core/error.hpp"

namespace accrete::tune {

std::vector<double> ranks(std::span<const double> values, Better better) {
  if (std::ranges::any_of(values, [](double v) { return std::isnan(v); }))
    throw core::DataError("a score that is not a number has no rank");
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return better == Better::higher ? values[a] > values[b] : values[a] < values[b];
  });
  std::vector<double> result(values.size());
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    for (std::size_t i = first; i < last; ++i) result[order[i]] = 0.5 * static_cast<double>(first + 1 + last);
  }
  return result;
}

std::vector<double> average_ranks(core::MatrixView<const double> scores, Better better) {
  if (scores.rows == 0) throw core::DataError("ranks need at least one data set");
  std::vector<double> mean(scores.cols, 0.0);
  for (std::size_t r = 0; r < scores.rows; ++r) {
    const auto here = ranks(scores.row(r), better);
    for (std::size_t c = 0; c < scores.cols; ++c) mean[c] += here[c];
  }
  for (double& rank : mean) rank /= static_cast<double>(scores.rows);
  return mean;
}

}  // namespace accrete::tune
