#include "accrete/backend/exchange_rows.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include "accrete/comm/values.hpp"

namespace accrete::backend {
namespace {

/// Offset of an element in a tiled array.
std::size_t place(std::size_t row, std::size_t column, core::TileLayout layout) {
  const std::size_t t = layout.tile_rows;
  return (row / t * layout.columns + column) * t + row % t;
}

/// Features with the same sources as `like` for other rows. They refer to the grids of `like`, which must outlive them.
data::Features with_rows(const data::Features& like, core::TiledMatrix stored) {
  std::vector<std::size_t> all(like.cols()), starts;
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (std::size_t g = 0; like.has_wide_columns() && g < like.groups(); ++g)
    starts.push_back(like.features_of(std::span(&g, 1)).front());
  return {std::move(stored), like.sources(all), std::move(starts)};
}

/// One row in the format sent between ranks: stored features, targets, weight, scores, residuals.
class PackedRow {
 public:
  explicit PackedRow(const ResidentRows& rows)
      : t_(rows.x->tile_rows()),
        stored_(rows.x->stored().cols()),
        targets_(rows.target_columns),
        outputs_(rows.outputs) {}

  std::size_t size() const { return stored_ + targets_ + 1 + 2 * outputs_; }

  void append(const ResidentRows& from, std::size_t row, std::vector<float>& packed) const {
    for (std::size_t c = 0; c < stored_; ++c) packed.push_back(from.x->stored().at(row, c));
    for (std::size_t c = 0; c < targets_; ++c) packed.push_back(from.targets[place(row, c, {targets_, t_})]);
    packed.push_back(from.weights[row]);
    for (std::size_t k = 0; k < outputs_; ++k) packed.push_back(from.scores[place(row, k, {outputs_, t_})]);
    for (std::size_t k = 0; k < outputs_; ++k) packed.push_back(from.residuals[place(row, k, {outputs_, t_})]);
  }

  void unpack(const float* packed, std::size_t row, core::TiledMatrix& stored, ResidentRows& to) const {
    for (std::size_t c = 0; c < stored_; ++c) stored.at(row, c) = *packed++;
    for (std::size_t c = 0; c < targets_; ++c) to.targets[place(row, c, {targets_, t_})] = *packed++;
    to.weights[row] = *packed++;
    for (std::size_t k = 0; k < outputs_; ++k) to.scores[place(row, k, {outputs_, t_})] = *packed++;
    for (std::size_t k = 0; k < outputs_; ++k) to.residuals[place(row, k, {outputs_, t_})] = *packed++;
  }

 private:
  std::size_t t_, stored_, targets_, outputs_;
};

void resize(const ResidentRows& from, const core::TiledMatrix& stored, ResidentRows& result) {
  const std::size_t rows = stored.tiles() * stored.tile_rows();
  result.targets.resize(rows * from.target_columns);
  result.weights.resize(rows);
  result.scores.resize(rows * from.outputs);
  result.residuals.resize(rows * from.outputs);
}

}  // namespace

void exchange_rows(const ResidentRows& from, std::span<const std::size_t> rows, comm::Communicator& comm,
                   data::Features& selected, ResidentRows& result) {
  const comm::Share owners = from.chunks.row_share(), wanted = result.chunks.row_share();
  const PackedRow packing(from);
  core::TiledMatrix stored(wanted.count(), from.x->stored().cols(), from.x->tile_rows());
  resize(from, stored, result);
  // All ranks know the list, so each knows what the others send and in which order.
  std::vector<std::size_t> lengths(comm.size(), 0), taken(comm.size(), 0);
  std::vector<float> packed, row;
  std::size_t next = 0;  // the rank whose share contains row i
  for (std::size_t i = 0; i < rows.size(); ++i) {
    while (i >= wanted.starts[next + 1]) ++next;
    const std::size_t owner = owners.owner_of(rows[i]);
    if (owner != next) lengths[owner] += packing.size();
    if (owner != comm.rank()) continue;
    if (owner != next) {
      packing.append(from, rows[i] - owners.first(), packed);
    } else {
      row.clear();
      packing.append(from, rows[i] - owners.first(), row);
      packing.unpack(row.data(), i - wanted.first(), stored, result);
    }
  }
  const auto all = comm::gather_parts<float>(comm, packed, lengths);
  next = 0;
  for (std::size_t i = 0; i < wanted.last(); ++i) {
    while (i >= wanted.starts[next + 1]) ++next;
    const std::size_t owner = owners.owner_of(rows[i]);
    if (owner == next) continue;
    const std::size_t at = taken[owner]++ * packing.size();
    if (next == comm.rank()) packing.unpack(all.of(owner).data() + at, i - wanted.first(), stored, result);
  }
  selected = with_rows(*from.x, std::move(stored));
}

}  // namespace accrete::backend
