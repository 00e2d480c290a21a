#pragma once
// The lookup table entries of all rows for a step.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/data/features.hpp"
#include "accrete/network/lookup.hpp"

namespace accrete::backend {

class ResidentLookupRows {
 public:
  void encode(const network::LookupLayer& lookup, const data::Features& x, core::Workers& workers) {
    tile_size_ = lookup.tables().count * x.tile_rows();
    entries_.resize(x.tiles() * tile_size_);
    if (tile_size_ == 0) return;
    workers.run(x.tiles(), [&](std::size_t tile) {
      lookup.encode_tile(x.stored().tile(tile), x.tile_rows(), entries_.data() + tile * tile_size_);
    });
  }

  /// tables x tile_rows
  const std::uint16_t* tile(std::size_t tile) const { return entries_.data() + tile * tile_size_; }

 private:
  std::size_t tile_size_ = 0;
  std::vector<std::uint16_t> entries_;
};

}  // namespace accrete::backend
