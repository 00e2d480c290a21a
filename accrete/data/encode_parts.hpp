#pragma once
// Many rows at once: the parts of a table (training rows, validation rows), each encoded to a matrix of its own, by all
// threads, block of rows after block of rows.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/data/encoder.hpp"
#include "accrete/data/features.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {

/// A table to be read, and whether anyone needs it afterwards.
struct TableSource {
  const Table& table;
  Table* spent = nullptr;  ///< the same table, when it may be used up; else null
};

/// A part whose features, ramps of bins included, take at most so many bytes is kept whole: about what lies in a
/// second-level cache, from where reading a ramp costs less than computing it (bench/bins.cpp).
inline constexpr std::size_t most_whole_bytes = 2 << 20;
/// From so many bins to a column on, no part is kept whole: training looks ramps up (backend/lookup.hpp), by the
/// number.
inline constexpr std::size_t bins_looked_up = 24;

/// What encoder.encode gives for each part, as features that keep ramps whole or not (most_whole, in bytes, where the
/// two rules above shall not decide); throws as it does. A table that
/// may be used up has no columns left afterwards: what a block has read is given back to the system before the next one
/// is written, so that the table and its parts together take little more memory than the larger of them. That needs
/// rows that ascend, as those of splits do; in any other order the result is the same.
std::vector<Features> encode_parts(const Encoder& encoder, TableSource from,
                                   std::span<const std::span<const std::size_t>> parts, core::Workers& workers,
                                   std::optional<std::size_t> most_whole = {});

}  // namespace accrete::data
