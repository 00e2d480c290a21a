#pragma once
// Encodes subsets of a table's rows (training, validation) into one matrix each, with all threads.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/data/encoder.hpp"
#include "accrete/data/features.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {

/// A table to read; its memory may be released while it is read.
struct ConsumableTable {
  const Table& table;
  Table* consumed = nullptr;  ///< the same table if its memory may be released, else null
};

/// A subset is stored expanded (FeatureStorage) if its features take at most this many bytes, about the size of an L2
/// cache: a ramp that is in the cache is cheaper to load than to compute (bench/bins.cpp).
inline constexpr std::size_t max_expanded_bytes = 2 << 20;
/// If a column has at least this many bins or levels, every subset is stored in lookup storage: training indexes tables
/// by the stored code (network/lookup.hpp).
inline constexpr std::size_t min_lookup_bins = 24;
/// Rows per tile in that case: lookups read few stored columns, whose tiles stay in the L1 cache.
inline constexpr std::size_t lookup_tile_rows = 128;

/// Options that control how subsets are stored.
struct SubsetStorage {
  std::optional<std::size_t> max_expanded = {};  ///< in bytes; overrides the two rules above
  std::span<const std::size_t> all_rows = {};    ///< rows of each subset on all ranks; empty: those listed
};

/// The features of encoder.encode for each subset; throws the same errors.
///
/// A consumed table has no columns afterwards. Its rows are read in blocks, and the memory of each block is released
/// before the next one is encoded, so the peak is little more than the larger of table and features. This requires
/// ascending rows; other orders give the same result without the saving.
std::vector<Features> encode_subsets(const Encoder& encoder, ConsumableTable from,
                                     std::span<const std::span<const std::size_t>> subsets, core::Workers& workers,
                                     const SubsetStorage& storage = {});

}  // namespace accrete::data
