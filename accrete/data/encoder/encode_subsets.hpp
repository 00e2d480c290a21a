#pragma once
// Encodes row subsets of a table (training rows, validation rows) into one matrix each, with all threads.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/data/encoder.hpp"
#include "accrete/data/features.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {

/// A table to read, which may be destroyed while it is read.
struct TableSource {
  const Table& table;
  Table* consumed = nullptr;  ///< the same table if its memory may be released; else null
};

/// A subset is stored expanded (FeatureStorage) if its features take at most this many bytes. That is about the size
/// of an L2 cache, from which reading a ramp is cheaper than computing it (bench/bins.cpp).
inline constexpr std::size_t max_expanded_bytes = 2 << 20;
/// With at least this many bins or levels in a column, every subset is stored compact: training looks them up by the
/// raw value (network/lookup.hpp).
inline constexpr std::size_t min_lookup_bins = 24;
/// Rows of a tile then: lookups read a few stored columns, whose tiles stay in the L1 cache.
inline constexpr std::size_t lookup_tile_rows = 128;

/// How subsets are stored.
struct SubsetStorage {
  std::optional<std::size_t> max_expanded = {};  ///< in bytes; overrides the two rules above
  std::span<const std::size_t> all_rows = {};    ///< of each subset on all ranks, which decide; empty: those listed
};

/// The features of encoder.encode for each subset; throws as it does.
///
/// A consumed table has no columns afterwards. Its rows are read in blocks, and the memory of each block is released
/// before the next one is encoded, so that table and features together take little more than the larger of them. That
/// needs ascending rows; other orders give the same result.
std::vector<Features> encode_subsets(const Encoder& encoder, TableSource from,
                                     std::span<const std::span<const std::size_t>> subsets, core::Workers& workers,
                                     const SubsetStorage& storage = {});

}  // namespace accrete::data
