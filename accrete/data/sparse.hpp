#pragma once
// Sparse numbers: only nonzero entries are stored.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accrete::data {

/// A sparse column of a table; rows without an entry are 0.
struct SparseNumbers {
  std::size_t size = 0;             ///< rows of the column, with or without entry
  std::vector<std::uint32_t> rows;  ///< ascending
  std::vector<float> values;        ///< one per listed row

  float at(std::size_t row) const;
};

/// A matrix compressed by row (CSR): entries starts[r] .. starts[r + 1] - 1 are those of row r, columns ascending.
struct SparseRows {
  std::size_t columns = 0;
  std::vector<std::size_t> starts = {0};
  std::vector<std::uint32_t> indices;  ///< the column of each entry
  std::vector<float> values;

  std::size_t rows() const { return starts.size() - 1; }
  std::size_t entries() const { return values.size(); }
  float at(std::size_t row, std::size_t column) const;

  /// The listed rows, in that order.
  SparseRows select(std::span<const std::size_t> listed) const;
  /// The transpose, which is the same matrix compressed by column (CSC).
  SparseRows transposed() const;
};

/// Calls visit(i, value) for the entries with first <= index < last of an ascending list; i = index - first.
template <class Visit>
void for_entries_between(std::span<const std::uint32_t> indices, std::span<const float> values, std::size_t first,
                         std::size_t last, const Visit& visit) {
  const auto begin = std::ranges::lower_bound(indices, first);
  for (auto e = static_cast<std::size_t>(begin - indices.begin()); e < indices.size() && indices[e] < last; ++e)
    visit(indices[e] - first, values[e]);
}

}  // namespace accrete::data
