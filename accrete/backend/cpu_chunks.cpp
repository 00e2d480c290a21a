#include "accrete/backend/cpu_chunks.hpp"

#include <algorithm>
#include <functional>

#include "accrete/core/denormals.hpp"
#include "accrete/solver/least_squares.hpp"

namespace accrete::backend {
namespace {

std::size_t padded(std::size_t floats) {
  return (floats + 15) / 16 * 16;
}

/// dst[i] of every plane = src[rows[i]], for arrays of planes x tile_rows per tile.
core::AlignedVector<float> gather(const core::AlignedVector<float>& from, std::size_t planes, std::size_t t,
                                  std::span<const std::size_t> rows, std::size_t tiles) {
  core::AlignedVector<float> to(tiles * planes * t);
  if (from.empty()) return to;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t p = 0; p < planes; ++p)
      to[(i / t * planes + p) * t + i % t] = from[(rows[i] / t * planes + p) * t + rows[i] % t];
  return to;
}

}  // namespace

ChunkRows ResidentRows::chunk(TileRange range, Fit fit) const {
  const std::size_t t = x->tile_rows(), first = range.first;
  const float* w = weights.data() + first * t;
  const bool loss = fit == Fit::loss;
  const float* to = loss ? targets.data() + first * target_columns * t : residuals.data() + first * outputs * t;
  const float* from = loss ? base.data() + first * outputs * t : nullptr;
  const std::size_t last = range.last == x->tiles() ? padded(x->rows() - (range.last - 1) * t) : t;
  const std::size_t tiles = range.last - range.first;
  return {{x->tile(first), to, from, w, tiles == 1 ? last : t},
          tiles,
          last,
          t,
          x->cols(),
          loss ? target_columns : outputs,
          outputs};
}

ResidentRows ResidentRows::select(std::span<const std::size_t> rows, const core::TiledMatrix& selected) const {
  ResidentRows result;
  const std::size_t t = x->tile_rows(), tiles = selected.tiles();
  result.x = &selected;
  result.outputs = outputs;
  result.target_columns = target_columns;
  result.targets = gather(targets, target_columns, t, rows, tiles);
  result.weights = gather(weights, 1, t, rows, tiles);
  result.base = gather(base, outputs, t, rows, tiles);
  result.residuals = gather(residuals, outputs, t, rows, tiles);
  for (std::size_t r : rows) result.total_weight += weights[r];
  if (!(result.total_weight > 0.0)) result.total_weight = 1.0;  // a draw without weight: its sums are 0, not 0 / 0
  return result;
}

ResidentRows rows_of(const Source& source) {
  const data::Dataset& data = source.dataset;
  ResidentRows result;
  result.x = &data.features;
  result.outputs = source.outputs;
  result.target_columns = data.targets.cols();
  const std::size_t t = data.features.tile_rows(), tiles = data.features.tiles(), columns = result.target_columns;
  result.targets.resize(tiles * columns * t);
  result.weights.resize(tiles * t);
  for (std::size_t r = 0; r < data.rows(); ++r) {
    result.weights[r] = static_cast<float>(data.weights[r]);
    result.total_weight += result.weights[r];
    for (std::size_t c = 0; c < columns; ++c)
      result.targets[(r / t * columns + c) * t + r % t] = static_cast<float>(data.targets(r, c));
  }
  return result;
}

void Evaluator::look_at(const ResidentRows& rows, const BlockShape& shape, const StepView& view, const Source& source) {
  rows_ = &rows;
  workers_ = &source.workers;
  shape_ = shape;
  fit_ = view.fit;
  alpha_over_n_ = view.alpha / static_cast<double>(rows.x->rows());
  features_.assign(view.features.begin(), view.features.end());

  const std::size_t t = rows.x->tile_rows(), chunks = chunk_count(*rows.x);
  const std::size_t f = shape.features, j = shape.units, k = shape.outputs;
  const bool small = rows.x->rows() * j * (f + 8) < worth_a_thread;
  groups_ = small ? 1 : std::min(chunks, 4 * workers_->threads());

  weights_.assign(padded(j * f) + padded(j) + 2 * padded(j * k) + padded(k) + t + padded(j), 0.0f);
  float* next = weights_.data();
  auto take = [&](std::size_t n) { return std::exchange(next, next + padded(n)); };
  block_ = {f,
            j,
            k,
            t,
            source.activation.index,
            source.loss.index,
            fit_ != Fit::loss,
            source.loss.settings,
            features_.data(),
            take(j * f),
            take(j),
            take(j * k),
            take(j * k),
            take(k),
            take(t),
            take(j)};
  std::fill_n(const_cast<float*>(block_.ones), t, 1.0f);

  const std::size_t floats = 2 * j * t + 2 * k * t + t + ((f + 1) * j + (j + 1) * k) * lane_run;
  room_.resize(groups_ * floats);
  pointers_.resize(groups_ * (f + 1 + j + 1 + k));
  part_.resize(chunks * (1 + shape.size()));
  if (fit_ == Fit::projected) {
    wide_.resize(groups_ * (j + 1) * t);
    hidden_.resize(rows.x->tiles() * j * t);
    gram_.resize(chunks * (j + 1) * (j + 1 + k));
    output_layer_.resize((j + 1) * k);
    square_.resize((j + 1) * (j + 1));
    right_.resize((j + 1) * k);
  }
}

void Evaluator::set_hidden(std::span<const double> p) {
  const std::size_t n = shape_.hidden_bias_at();
  std::transform(p.begin(), p.begin() + n, const_cast<float*>(block_.hidden_weights),
                 [](double x) { return float(x); });
  std::transform(p.begin() + n, p.begin() + n + shape_.units, const_cast<float*>(block_.hidden_bias),
                 [](double x) { return float(x); });
}

void Evaluator::set_output(std::span<const double> layer) {
  float* output = const_cast<float*>(block_.output_weights);
  float* back = const_cast<float*>(block_.back_weights);
  float* bias = const_cast<float*>(block_.output_bias);
  for (std::size_t j = 0; j < shape_.units; ++j)
    for (std::size_t k = 0; k < shape_.outputs; ++k)
      output[k * shape_.units + j] = back[j * shape_.outputs + k] = static_cast<float>(layer[j * shape_.outputs + k]);
  for (std::size_t k = 0; k < shape_.outputs; ++k)
    bias[k] = static_cast<float>(layer[shape_.units * shape_.outputs + k]);
}

TileScratch Evaluator::scratch_in(std::size_t group) {
  const std::size_t t = block_.tile_rows, f = shape_.features, j = shape_.units, k = shape_.outputs;
  float* next = room_.data() + group * (room_.size() / groups_);
  auto take = [&](std::size_t n) { return std::exchange(next, next + n); };
  TileScratch s{};
  s.hidden = take(j * t), s.delta = take(j * t);
  s.out = take(k * t), s.errors = take(k * t), s.values = take(t);
  s.hidden_sums = take((f + 1) * j * lane_run), s.output_sums = take((j + 1) * k * lane_run);
  s.inputs = pointers_.data() + group * (pointers_.size() / groups_);
  s.layer = s.inputs + f + 1;
  if (fit_ == Fit::projected) s.wide = wide_.data() + group * (wide_.size() / groups_);
  return s;
}

/// f(rows, scratch, chunk) for every chunk. In a projected fit the hidden outputs of all rows are kept.
template <class F>
void Evaluator::run_chunks(const F& f) {
  const std::size_t chunks = chunk_count(*rows_->x);
  auto group_task = [&](std::size_t group) {
    const core::FlushDenormals fast;
    TileScratch scratch = scratch_in(group);
    for (std::size_t c = group * chunks / groups_; c < (group + 1) * chunks / groups_; ++c) {
      const TileRange tiles = chunk_tiles(*rows_->x, c);
      if (fit_ == Fit::projected) scratch.hidden = hidden_.data() + tiles.first * shape_.units * block_.tile_rows;
      f(rows_->chunk(tiles, fit_), scratch, c);
    }
  };
  if (groups_ == 1)
    group_task(0);
  else
    workers_->run(groups_, std::ref(group_task));  // by reference: nothing is allocated
}

double Evaluator::join(std::span<const double> parameters, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  double value = 0.0;
  const std::size_t chunks = chunk_count(*rows_->x), stride = 1 + shape_.size();
  for (std::size_t c = 0; c < chunks; ++c) {
    value += part_[c * stride];
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += part_[c * stride + 1 + i];
  }
  for (double& g : gradient) g /= rows_->total_weight;
  return value / rows_->total_weight + add_penalty(shape_, alpha_over_n_, parameters, gradient);
}

double Evaluator::evaluate(std::span<const double> parameters, std::span<double> gradient) {
  const std::size_t stride = 1 + shape_.size();
  if (fit_ == Fit::projected) {
    project(parameters, output_layer_);
    run_chunks([&](const ChunkRows& rows, const TileScratch& scratch, std::size_t chunk) {
      evaluate_projected_chunk(block_, rows, scratch, part_.data() + chunk * stride);
    });
    double squares = 0.0;
    for (std::size_t i = 0; i < shape_.units * shape_.outputs; ++i) squares += output_layer_[i] * output_layer_[i];
    return join(parameters, gradient) + 0.5 * alpha_over_n_ * squares;
  }
  set_hidden(parameters);
  set_output(parameters.subspan(shape_.hidden_size()));
  run_chunks([&](const ChunkRows& rows, const TileScratch& scratch, std::size_t chunk) {
    evaluate_chunk(block_, rows, scratch, part_.data() + chunk * stride);
  });
  return join(parameters, gradient);
}

void Evaluator::project(std::span<const double> hidden, std::span<double> output_layer) {
  set_hidden(hidden);
  const std::size_t n = shape_.units + 1, columns = n + shape_.outputs, chunks = chunk_count(*rows_->x);
  run_chunks([&](const ChunkRows& rows, const TileScratch& scratch, std::size_t chunk) {
    project_chunk(block_, rows, scratch, gram_.data() + chunk * n * columns);
  });
  std::fill(square_.begin(), square_.end(), 0.0);
  std::fill(right_.begin(), right_.end(), 0.0);
  for (std::size_t c = 0; c < chunks; ++c)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t q = i; q < columns; ++q) {
        const double sum = gram_[c * n * columns + i * columns + q] / rows_->total_weight;
        if (q < n)
          square_[q * n + i] += sum;
        else
          right_[i * shape_.outputs + q - n] += sum;
      }
  for (std::size_t i = 0; i < shape_.units; ++i) square_[i * n + i] += alpha_over_n_;
  solver::solve_positive(square_, right_, n, shape_.outputs);
  std::copy(right_.begin(), right_.end(), output_layer.begin());
  set_output(output_layer);
}

}  // namespace accrete::backend
