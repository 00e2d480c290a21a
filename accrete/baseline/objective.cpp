#include "accrete/baseline/objective.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "accrete/core/denormals.hpp"

namespace accrete::baseline {
namespace {

using backend::lane_run;
using backend::padded;

// A share's sums per vector lane are joined once for every parameter, which should cost little beside making them.
constexpr std::size_t least_share_rows = 512, most_shares = 16;

backend::ChunkRows chunk_of(const backend::ResidentRows& rows, backend::TileRange tiles) {
  const data::Features& x = *rows.x;
  const std::size_t t = x.tile_rows(), count = tiles.last - tiles.first;
  const std::size_t last = tiles.last == x.tiles() ? padded(x.rows() - (tiles.last - 1) * t) : t;
  const float* targets = rows.targets.data() + tiles.first * rows.target_columns * t;
  return {{x.stored().tile(tiles.first), targets, nullptr, rows.weight(tiles.first), count == 1 ? last : t},
          count,
          last,
          t,
          x.stored().cols(),
          rows.target_columns,
          rows.outputs};
}

}  // namespace

Objective::Objective(const network::PlainShape& shape, const backend::Source& source, double alpha)
    : shape_(shape), source_(source), alpha_(alpha), all_(backend::rows_of(source)) {
  const std::size_t t = source.dataset.features.tile_rows(), size = padded(shape.size());
  weights_.assign(2 * size + padded(t) + padded(shape.widest()), 0.0f);
  float* next = weights_.data();
  auto take = [&](std::size_t n) { return std::exchange(next, next + n); };
  task_ = {&shape_,
           source.activation.index,
           source.loss.index,
           source.loss.settings,
           t,
           take(size),
           take(size),
           take(padded(t)),
           next};
  std::fill_n(const_cast<float*>(task_.ones), t, 1.0f);
  use(all_);
}

void Objective::look_at(std::span<const std::size_t> rows) {
  Batch& batch = batches_[rows.size()];
  source_.dataset.features.select_rows(rows, batch.x);
  all_.select(rows, batch.x, batch.rows);
  use(batch.rows);
}

/// Shares and rooms for the rows. The shares, which bits depend on, follow from the size of the problem alone.
void Objective::use(const backend::ResidentRows& rows) {
  rows_ = &rows;
  const bool small = rows.x->rows() * shape_.size() < backend::worth_a_thread;
  const std::size_t worthwhile = std::min(rows.x->rows() / least_share_rows, rows.x->tiles());
  shares_ = small ? 1 : std::clamp<std::size_t>(worthwhile, 1, most_shares);
  rooms_ = std::min(shares_, source_.workers.threads());
  const std::size_t t = task_.tile_rows, widest = shape_.widest();
  const std::size_t outs = shape_.hidden_units() + shape_.outputs();
  floats_.resize(std::max(floats_.size(), rooms_ * ((outs + 2 * widest + 1) * t + shape_.size() * lane_run)));
  pointers_.resize(std::max(pointers_.size(), rooms_ * (widest + 1)));
  part_.resize(std::max(part_.size(), shares_ * (1 + shape_.size())));
}

void Objective::set_parameters(std::span<const double> parameters) {
  float* forward = const_cast<float*>(task_.parameters);
  float* back = const_cast<float*>(task_.back);
  for (std::size_t i = 0; i < parameters.size(); ++i) forward[i] = static_cast<float>(parameters[i]);
  for (std::size_t l = 1; l < shape_.layers(); ++l) {  // nothing goes back through the first layer
    const float* from = forward + shape_.weights_at(l);
    float* to = back + shape_.weights_at(l);
    for (std::size_t q = 0; q < shape_.outputs(l); ++q)
      for (std::size_t p = 0; p < shape_.inputs(l); ++p) to[p * shape_.outputs(l) + q] = from[q * shape_.inputs(l) + p];
  }
}

GradientScratch Objective::scratch_in(std::size_t room) {
  const std::size_t t = task_.tile_rows, widest = shape_.widest();
  const std::size_t outs = (shape_.hidden_units() + shape_.outputs()) * t;
  const std::size_t size = outs + (2 * widest + 1) * t + shape_.size() * lane_run;
  float* next = floats_.data() + room * size;
  auto take = [&](std::size_t n) { return std::exchange(next, next + n); };
  GradientScratch s{};
  s.outs = take(outs), s.delta = take(widest * t), s.earlier = take(widest * t), s.values = take(t);
  s.sums = next;
  s.inputs = pointers_.data() + room * (widest + 1);
  return s;
}

void Objective::run_share(std::size_t share, std::size_t room) {
  const std::size_t tiles = rows_->x->tiles(), stride = 1 + shape_.size();
  const std::size_t per_chunk = backend::chunk_rows / task_.tile_rows, last = (share + 1) * tiles / shares_;
  double* part = part_.data() + share * stride;
  std::fill_n(part, stride, 0.0);
  const GradientScratch scratch = scratch_in(room);
  for (std::size_t tile = share * tiles / shares_; tile < last; tile += per_chunk)
    add_gradient(task_, chunk_of(*rows_, {tile, std::min(last, tile + per_chunk)}), scratch, part);
}

double Objective::evaluate(std::span<const double> parameters, std::span<double> gradient) {
  set_parameters(parameters);
  auto room_task = [&](std::size_t room) {
    const core::FlushDenormals fast;
    for (std::size_t s = room * shares_ / rooms_; s < (room + 1) * shares_ / rooms_; ++s) run_share(s, room);
  };
  if (rooms_ == 1)
    room_task(0);
  else
    source_.workers.run(rooms_, std::ref(room_task));
  return join(parameters, gradient);
}

double Objective::join(std::span<const double> parameters, std::span<double> gradient) const {
  const std::size_t stride = 1 + shape_.size();
  double value = part_[0];
  std::copy_n(part_.data() + 1, gradient.size(), gradient.data());
  for (std::size_t s = 1; s < shares_; ++s) {
    const double* part = part_.data() + s * stride;
    value += part[0];
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += part[1 + i];
  }
  const double scale = 1.0 / rows_->total_weight;
  for (double& g : gradient) g *= scale;
  const double penalty = alpha_ / (static_cast<double>(rows_->x->rows()) * source_.dataset.row_weight);
  double squares = 0.0;
  for (std::size_t l = 0; l < shape_.layers(); ++l)
    for (std::size_t i = shape_.weights_at(l); i < shape_.bias_at(l); ++i) {
      squares += parameters[i] * parameters[i];
      gradient[i] += penalty * parameters[i];
    }
  return value * scale + 0.5 * penalty * squares;
}

double Objective::noise() const {
  return 6e-8 / std::sqrt(static_cast<double>(rows_->x->rows()));
}

}  // namespace accrete::baseline
