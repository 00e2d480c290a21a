#include "accrete/backend/sampled_tiles.hpp"

#include <algorithm>

namespace accrete::backend {
namespace {

/// Gathers `size` floats of each sampled tile; write(tile of this rank, destination) fills them.
template <class Write>
void gather_tiles(comm::Communicator& comm, const std::vector<std::size_t>& counts, std::size_t size,
                  core::AlignedVector<float>& all, const Write& write) {
  std::vector<std::size_t> bytes;
  std::size_t tiles = 0;
  for (const std::size_t count : counts) {
    bytes.push_back(count * size * sizeof(float));
    tiles += count;
  }
  std::vector<float> own(counts[comm.rank()] * size);
  write(own.data());
  all.resize(tiles * size);
  comm.all_gather(std::as_bytes(std::span(own)), bytes, std::as_writable_bytes(std::span(all.data(), tiles * size)));
}

}  // namespace

void SampledTiles::set_rows(const ResidentRows& rows, comm::Communicator& comm) {
  rows_ = &rows;
  comm_ = &comm;
  first_tile_ = rows.chunks.share.first() * rows.chunks.tiles_per_chunk;
  numbers_.clear();
}

void SampledTiles::sample(std::size_t rows, const float* hidden, std::size_t units) {
  hidden_ = hidden;
  units_ = units;
  const bool is_alone = comm_->size() == 1, is_new = numbers_.empty();
  if (is_new) choose(rows);
  if (is_alone) return;
  if (is_new) gather_rows();
  gather_hidden();
}

void SampledTiles::choose(std::size_t rows) {
  const std::size_t t = rows_->chunks.tile_rows, tiles = rows_->chunks.tiles();
  const std::size_t step = std::max<std::size_t>(1, tiles * t / rows);
  for (std::size_t tile = step / 2; tile < tiles; tile += step) numbers_.push_back(tile);
  counts_.assign(comm_->size(), 0);
  for (const std::size_t tile : numbers_) ++counts_[rows_->chunks.share.owner_of(tile / rows_->chunks.tiles_per_chunk)];
}

void SampledTiles::gather_rows() {
  const std::size_t t = rows_->chunks.tile_rows, size = t * rows_->x->stored().cols();
  gather_tiles(*comm_, counts_, size, x_, [&](float* to) {
    for (const std::size_t tile : numbers_)
      if (is_here(tile)) to = std::copy_n(rows_->x->stored().tile(tile - first_tile_), size, to);
  });
  gather_tiles(*comm_, counts_, t, weights_, [&](float* to) {
    for (const std::size_t tile : numbers_)
      if (is_here(tile)) to = std::copy_n(rows_->tile_weights(tile - first_tile_), t, to);
  });
}

void SampledTiles::gather_hidden() {
  const std::size_t size = units_ * rows_->chunks.tile_rows;
  gather_tiles(*comm_, counts_, size, all_hidden_, [&](float* to) {
    for (const std::size_t tile : numbers_)
      if (is_here(tile)) to = std::copy_n(hidden_ + (tile - first_tile_) * size, size, to);
  });
}

CurvatureTile SampledTiles::tile(std::size_t i) const {
  const std::size_t t = rows_->chunks.tile_rows, tile = numbers_[i], left = rows_->chunks.rows - tile * t;
  const std::size_t count = left < t ? pad_to_line(left) : t;
  if (comm_->size() == 1)
    return {rows_->x->stored().tile(tile), hidden_ + tile * units_ * t, rows_->tile_weights(tile), count};
  return {x_.data() + i * t * rows_->x->stored().cols(), all_hidden_.data() + i * units_ * t, weights_.data() + i * t,
          count};
}

}  // namespace accrete::backend
