#pragma once
// The positions of all rows in the lookup tables of a step.

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
    tile_size_ = lookup.tables().columns * x.tile_rows();
    codes_.resize(x.tiles() * tile_size_);
    rises_.resize(codes_.size());
    if (tile_size_ == 0) return;
    workers.run(x.tiles(), [&](std::size_t tile) {
      const std::size_t at = tile * tile_size_;
      lookup.encode_tile(x.stored().tile(tile), x.tile_rows(), codes_.data() + at, rises_.data() + at);
    });
  }

  network::LookupRows tile(std::size_t tile) const {
    if (tile_size_ == 0) return {};
    return {codes_.data() + tile * tile_size_, rises_.data() + tile * tile_size_};
  }

 private:
  std::size_t tile_size_ = 0;  ///< positions of a tile: columns x tile_rows
  std::vector<std::uint16_t> codes_;
  std::vector<float> rises_;
};

}  // namespace accrete::backend
