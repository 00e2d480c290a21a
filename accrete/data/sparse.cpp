#include "accrete/data/sparse.hpp"

#include <algorithm>
#include <numeric>

namespace accrete::data {
namespace {

float find(std::span<const std::uint32_t> indices, std::span<const float> values, std::size_t index) {
  const auto at = std::ranges::lower_bound(indices, index);
  return at != indices.end() && *at == index ? values[static_cast<std::size_t>(at - indices.begin())] : 0.0f;
}

}  // namespace

float SparseNumbers::at(std::size_t row) const {
  return find(rows, values, row);
}

float SparseRows::at(std::size_t row, std::size_t column) const {
  const std::size_t first = starts[row], count = starts[row + 1] - first;
  return find(std::span(indices).subspan(first, count), std::span(values).subspan(first, count), column);
}

SparseRows SparseRows::select(std::span<const std::size_t> listed) const {
  SparseRows result;
  result.columns = columns;
  result.starts.reserve(listed.size() + 1);
  std::size_t count = 0;
  for (const std::size_t row : listed) result.starts.push_back(count += starts[row + 1] - starts[row]);
  result.indices.reserve(count);
  result.values.reserve(count);
  for (const std::size_t row : listed) {
    const auto first = static_cast<std::ptrdiff_t>(starts[row]), last = static_cast<std::ptrdiff_t>(starts[row + 1]);
    result.indices.insert(result.indices.end(), indices.begin() + first, indices.begin() + last);
    result.values.insert(result.values.end(), values.begin() + first, values.begin() + last);
  }
  return result;
}

SparseRows SparseRows::transposed() const {
  SparseRows result;
  result.columns = rows();
  result.starts.assign(columns + 1, 0);
  result.indices.resize(entries());
  result.values.resize(entries());
  for (const std::uint32_t column : indices) ++result.starts[column + 1];
  std::partial_sum(result.starts.begin(), result.starts.end(), result.starts.begin());
  std::vector<std::size_t> next = result.starts;
  for (std::size_t row = 0; row < rows(); ++row)
    for (std::size_t e = starts[row]; e < starts[row + 1]; ++e) {
      const std::size_t to = next[indices[e]]++;
      result.indices[to] = static_cast<std::uint32_t>(row);
      result.values[to] = values[e];
    }
  return result;
}

}  // namespace accrete::data
