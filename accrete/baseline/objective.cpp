#include "accrete/baseline/objective.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "accrete/config/step_policy.hpp"
#include "accrete/core/denormals.hpp"

namespace accrete::baseline {
namespace {

using backend::line_floats;
using backend::pad_to_line;

// The lanes of a chunk's sums are reduced once per parameter, which should be cheap compared to accumulating them.
constexpr std::size_t min_chunk_rows = 512, max_chunks = 16;

backend::ChunkRows chunk_of(const backend::ResidentRows& rows, backend::TileRange tiles) {
  const data::Features& x = *rows.x;
  const std::size_t t = x.tile_rows(), count = tiles.last - tiles.first;
  const std::size_t last = tiles.last == x.tiles() ? pad_to_line(x.rows() - (tiles.last - 1) * t) : t;
  const float* targets = rows.targets.data() + tiles.first * rows.target_columns * t;
  return {{x.stored().tile(tiles.first), targets, nullptr, rows.tile_weights(tiles.first), count == 1 ? last : t},
          count,
          last,
          t,
          x.stored().cols(),
          rows.target_columns,
          rows.outputs};
}

}  // namespace

PlainObjective::PlainObjective(const network::PlainShape& shape, const backend::TrainingProblem& problem, double alpha)
    : shape_(shape), problem_(problem), alpha_(alpha), all_(backend::make_resident_rows(problem)) {
  const std::size_t tile_rows = problem.dataset.features.tile_rows();
  parameters_.assign(pad_to_line(shape.size()), 0.0f);
  transposed_.assign(pad_to_line(shape.size()), 0.0f);
  ones_.assign(pad_to_line(tile_rows), 1.0f);
  zeros_.assign(pad_to_line(shape.widest()), 0.0f);
  task_ = {.shape = &shape_,
           .activation = problem.activation.index,
           .loss = problem.loss.index,
           .settings = problem.loss.settings,
           .tile_rows = tile_rows,
           .parameters = parameters_.data(),
           .transposed = transposed_.data(),
           .ones = ones_.data(),
           .zeros = zeros_.data()};
  use(all_);
}

void PlainObjective::set_rows(std::span<const std::size_t> rows) {
  BatchRows& batch = batches_[rows.size()];
  all_.select(rows, problem_.comm, batch.x, batch.rows);
  use(batch.rows);
}

/// The chunks depend only on the size of the problem, so that results are bit-identical for any number of threads.
void PlainObjective::use(const backend::ResidentRows& rows) {
  rows_ = &rows;
  const bool small = rows.x->rows() * shape_.size() < backend::min_parallel_work;
  const std::size_t wanted = std::min(rows.x->rows() / min_chunk_rows, rows.x->tiles());
  chunks_ = small ? 1 : std::clamp<std::size_t>(wanted, 1, max_chunks);
  slots_ = std::min(chunks_, problem_.workers.threads());
  const std::size_t t = task_.tile_rows, widest = shape_.widest();
  const std::size_t outs = shape_.hidden_units() + shape_.outputs();
  floats_.resize(std::max(floats_.size(), slots_ * ((outs + 2 * widest + 1) * t + shape_.size() * line_floats)));
  pointers_.resize(std::max(pointers_.size(), slots_ * (widest + 1)));
  sums_.resize(std::max(sums_.size(), chunks_ * (1 + shape_.size())));
}

void PlainObjective::set_parameters(std::span<const double> parameters) {
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters_[i] = static_cast<float>(parameters[i]);
  for (std::size_t l = 1; l < shape_.layers(); ++l) {  // the backward pass ends at the first layer
    const float* from = parameters_.data() + shape_.weights_at(l);
    float* to = transposed_.data() + shape_.weights_at(l);
    for (std::size_t q = 0; q < shape_.outputs(l); ++q)
      for (std::size_t p = 0; p < shape_.inputs(l); ++p) to[p * shape_.outputs(l) + q] = from[q * shape_.inputs(l) + p];
  }
}

GradientScratch PlainObjective::scratch_in(std::size_t slot) {
  const std::size_t t = task_.tile_rows, widest = shape_.widest();
  const std::size_t outs = (shape_.hidden_units() + shape_.outputs()) * t;
  const std::size_t size = outs + (2 * widest + 1) * t + shape_.size() * line_floats;
  float* next = floats_.data() + slot * size;
  auto take = [&](std::size_t n) { return std::exchange(next, next + n); };
  GradientScratch s{};
  s.outs = take(outs), s.delta = take(widest * t), s.earlier = take(widest * t), s.values = take(t);
  s.sums = next;
  s.inputs = pointers_.data() + slot * (widest + 1);
  return s;
}

void PlainObjective::run_chunk(std::size_t chunk, std::size_t slot) {
  const std::size_t tiles = rows_->x->tiles(), stride = 1 + shape_.size();
  const std::size_t per_chunk = backend::chunk_rows / task_.tile_rows, last = (chunk + 1) * tiles / chunks_;
  double* sums = sums_.data() + chunk * stride;
  std::fill_n(sums, stride, 0.0);
  const GradientScratch scratch = scratch_in(slot);
  for (std::size_t tile = chunk * tiles / chunks_; tile < last; tile += per_chunk)
    add_gradient(task_, chunk_of(*rows_, {tile, std::min(last, tile + per_chunk)}), scratch, sums);
}

double PlainObjective::evaluate(std::span<const double> parameters, std::span<double> gradient) {
  set_parameters(parameters);
  auto run_slot = [&](std::size_t slot) {
    const core::FlushDenormals fast;
    for (std::size_t c = slot * chunks_ / slots_; c < (slot + 1) * chunks_ / slots_; ++c) run_chunk(c, slot);
  };
  if (slots_ == 1)
    run_slot(0);
  else
    problem_.workers.run(slots_, std::ref(run_slot));
  return reduce(parameters, gradient);
}

double PlainObjective::reduce(std::span<const double> parameters, std::span<double> gradient) const {
  const std::size_t stride = 1 + shape_.size();
  double value = sums_[0];
  std::copy_n(sums_.data() + 1, gradient.size(), gradient.data());
  for (std::size_t s = 1; s < chunks_; ++s) {
    const double* sums = sums_.data() + s * stride;
    value += sums[0];
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += sums[1 + i];
  }
  const double scale = 1.0 / rows_->total_weight;
  for (double& g : gradient) g *= scale;
  const double penalty = alpha_ / (static_cast<double>(rows_->x->rows()) * problem_.dataset.row_weight);
  double squares = 0.0;
  for (std::size_t l = 0; l < shape_.layers(); ++l)
    for (std::size_t i = shape_.weights_at(l); i < shape_.bias_at(l); ++i) {
      squares += parameters[i] * parameters[i];
      gradient[i] += penalty * parameters[i];
    }
  return value * scale + 0.5 * penalty * squares;
}

double PlainObjective::noise() const {
  return config::float_noise(rows_->x->rows());
}

}  // namespace accrete::baseline
