#pragma once
// Sparse tables for tests, and the same tables with dense columns.

#include <cstddef>
#include <string>

#include "accrete/core/random.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {

/// Entries are 0.5 to 3.5 in steps of 0.5; symmetric: of either sign, the signs in turn.
inline SparseRows random_sparse(std::size_t rows, std::size_t columns, double density, bool symmetric = false,
                                std::uint64_t seed = 1) {
  core::Rng rng(seed, 0, core::Purpose::generator);
  SparseRows result;
  result.columns = columns;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (rng.uniform() >= density) continue;
      const float x = 0.5f * static_cast<float>(1 + rng.below(7));
      result.indices.push_back(static_cast<std::uint32_t>(c));
      result.values.push_back(symmetric && rng.below(2) == 0 ? -x : x);
    }
    result.starts.push_back(result.values.size());
  }
  return result;
}

/// The table with every sparse column stored in full.
inline Table densified(Table table) {
  for (Column& column : table.columns) {
    if (!column.sparse) continue;
    for (std::size_t r = 0; r < column.sparse->size; ++r) column.numbers.push_back(column.sparse->at(r));
    column.sparse.reset();
  }
  return table;
}

/// Sparse columns x0, x1, ... and a target y: a nonlinear function of the first columns, as classes if there are any.
inline Table sparse_problem(std::size_t rows, std::size_t columns, double density, std::size_t classes = 0,
                            bool symmetric = false) {
  Table table{"sparse", {}};
  table.add_sparse(random_sparse(rows, columns, density, symmetric));
  core::Rng rng(2, 0, core::Purpose::generator);
  Column target{.name = "y"};
  for (std::size_t r = 0; r < rows; ++r) {
    const auto x = [&](std::size_t c) { return static_cast<double>(table.columns[c % columns].number(r)); };
    const double y = x(0) - x(1) * x(1) + 0.5 * x(2) * x(3) + 0.1 * rng.normal();
    target.numbers.push_back(classes == 0 ? static_cast<float>(y) : static_cast<float>(y < 0.0 ? 0 : y < 1.0 ? 1 : 2));
    if (classes == 2) target.numbers.back() = std::min(target.numbers.back(), 1.0f);
  }
  table.columns.push_back(std::move(target));
  return table;
}

}  // namespace accrete::data
