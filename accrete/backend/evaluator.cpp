#include "accrete/backend/evaluator.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "accrete/backend/curvature.hpp"
#include "accrete/backend/score_kernel.hpp"
#include "accrete/core/denormals.hpp"
#include "accrete/data/neighbours.hpp"
#include "accrete/network/grouped.hpp"
#include "accrete/solver/least_squares.hpp"

namespace accrete::backend {

void Evaluator::look_at(const ResidentRows& rows, const BlockShape& shape, const StepView& view, const Source& source) {
  rows_ = &rows;
  workers_ = &source.workers;
  shape_ = shape;
  alpha_over_n_ = view.alpha / (static_cast<double>(rows.x->rows()) * source.dataset.row_weight);
  drawn_.assign(view.features.begin(), view.features.end());
  sources_ = rows.x->sources(view.features);
  const bool small = rows.x->rows() * shape.units * (shape.features + 8) < worth_a_thread;
  const std::size_t t = rows.x->tile_rows(), chunks = chunk_count(*rows.x);
  groups_ = small || workers_->threads() == 1 ? 1 : std::min(chunks, 4 * workers_->threads());
  lookup_.look_at(*rows.x, sources_, shape.units, source.workers);
  features_.clear();
  for (const std::size_t i : lookup_.dense()) features_.push_back(sources_[i]);
  const std::size_t f = features_.size(), j = shape.units, k = shape.outputs;
  const std::size_t grouped = network::groups_weights && j > 1 ? j * f + 2 : 0;

  weights_.assign(padded(j * f) + padded(grouped) + padded(j) + 2 * padded(j * k) + padded(k) + t, 0.0f);
  float* next = weights_.data();
  auto take = [&](std::size_t n) { return std::exchange(next, next + padded(n)); };
  block_ = {f,
            j,
            k,
            t,
            source.activation.index,
            source.loss.index,
            false,
            source.loss.settings,
            features_.data(),
            take(j * f),
            grouped > 0 ? take(grouped) : nullptr,
            take(j),
            take(j * k),
            take(j * k),
            take(k),
            take(t),
            &lookup_,
            data::are_neighbours(features_) ? t : 0};
  std::fill_n(const_cast<float*>(block_.ones), t, 1.0f);

  const std::size_t looked_up = lookup_.empty() ? 0 : lookup_units * t + padded(lookup_.tables().size());
  waiting_ = std::min(tiles_per_chunk(*rows.x), tiles_together(t, rows.x->stored().cols()));
  const std::size_t floats = (1 + waiting_) * j * t + 2 * k * t + t + ((f + 1) * j + (j + 1) * k) * lane_run +
                             looked_up + data::ramps_among(features_) * t;
  room_.resize(groups_ * floats);
  pointers_.resize(groups_ * (f + 1 + j + 1 + k));
  part_.resize(chunks * (1 + shape.size()));
  measure(view.fit);
}

void Evaluator::measure(Fit fit) {
  fit_ = fit;
  projected_.clear();
  block_.squares = fit != Fit::loss;
  if (fit != Fit::projected) return;
  const std::size_t j = shape_.units, k = shape_.outputs, t = block_.tile_rows, chunks = chunk_count(*rows_->x);
  hidden_.resize(rows_->x->tiles() * j * t);
  gram_.resize(chunks * j * (j + 1 + k));
  projected_.reserve(shape_.hidden_size());
  output_layer_.resize((j + 1) * k);
  square_.resize((j + 1) * (j + 1));
  right_.resize((j + 1) * k);
  sum_targets();
}

/// What the normal equations say of the output bias does not depend on the hidden layer: summed once per step.
void Evaluator::sum_targets() {
  bias_row_.assign(shape_.outputs, 0.0);
  for (std::size_t tile = 0; tile < rows_->x->tiles(); ++tile) {
    const TileRows rows = rows_->tile(tile, fit_);
    for (std::size_t k = 0; k < shape_.outputs; ++k)
      bias_row_[k] += weighted_total(rows.targets + k * block_.tile_rows, rows.weights, rows.rows);
  }
}

void Evaluator::set_hidden(std::span<const double> p) {
  const std::size_t n = shape_.hidden_bias_at();
  float* weights = const_cast<float*>(block_.hidden_weights);
  if (lookup_.empty())
    std::transform(p.begin(), p.begin() + n, weights, [](double x) { return float(x); });
  else
    for (std::size_t j = 0; j < shape_.units; ++j)
      for (const std::size_t i : lookup_.dense()) *weights++ = static_cast<float>(p[j * shape_.features + i]);
  if (block_.grouped_weights)
    network::group_weights(block_.hidden_weights, block_.features, block_.units,
                           const_cast<float*>(block_.grouped_weights));
  lookup_.set_weights(p.first(n));
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
  const std::size_t t = block_.tile_rows, f = block_.features, j = shape_.units, k = shape_.outputs;
  float* next = room_.data() + group * (room_.size() / groups_);
  auto take = [&](std::size_t n) { return std::exchange(next, next + n); };
  TileScratch s{};
  s.hidden = take(j * t), s.delta = take(waiting_ * j * t);
  s.out = take(k * t), s.errors = take(k * t), s.values = take(t);
  s.hidden_sums = take((f + 1) * j * lane_run), s.output_sums = take((j + 1) * k * lane_run);
  if (!lookup_.empty()) s.side_by_side = take(lookup_units * t), s.lookup_sums = take(padded(lookup_.tables().size()));
  s.ramps = next;
  s.inputs = pointers_.data() + group * (pointers_.size() / groups_);
  s.layer = s.inputs + f + 1;
  return s;
}

/// f(rows, scratch, chunk) for every chunk. In a projected fit the hidden outputs of all rows are kept.
template <class F>
void Evaluator::run_chunks(const F& f) {
  const std::size_t chunks = chunk_count(*rows_->x);
  // To and fro, since what was read last is what the nearest cache still holds.
  backwards_ = !backwards_ && !data::are_far(*rows_->x);
  auto group_task = [&](std::size_t group) {
    const core::FlushDenormals fast;
    TileScratch scratch = scratch_in(group);
    const std::size_t begin = group * chunks / groups_, end = (group + 1) * chunks / groups_;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t c = backwards_ ? begin + end - 1 - i : i;
      const TileRange tiles = chunk_tiles(*rows_->x, c);
      if (fit_ == Fit::projected) scratch.hidden = hidden_.data() + tiles.first * shape_.units * block_.tile_rows;
      ChunkRows rows = rows_->chunk(tiles, fit_);
      rows.first.looked_up = lookup_.rows(tiles.first);
      rows.lookup_columns = lookup_.tables().columns;
      f(rows, scratch, c);
    }
  };
  if (groups_ == 1)
    group_task(0);
  else
    workers_->run(groups_, std::ref(group_task));  // by reference: nothing is allocated
}

double Evaluator::join(std::span<const double> parameters, std::span<double> gradient) {
  const std::size_t stride = 1 + shape_.size();
  std::copy_n(part_.begin() + 1, gradient.size(), gradient.begin());
  double value = part_[0];
  for (std::size_t c = 1; c < chunk_count(*rows_->x); ++c) {
    value += part_[c * stride];
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += part_[c * stride + 1 + i];
  }
  const double scale = 1.0 / rows_->total_weight;
  for (double& g : gradient) g *= scale;
  return value / rows_->total_weight + add_penalty(shape_, alpha_over_n_, parameters, gradient);
}

double Evaluator::evaluate(std::span<const double> parameters, std::span<double> gradient) {
  const std::size_t stride = 1 + shape_.size();
  if (fit_ == Fit::projected) {
    project_at(parameters);
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
  if (!std::ranges::equal(hidden, projected_)) project_at(hidden);
  std::ranges::copy(output_layer_, output_layer.begin());
}

/// Fills hidden_ and output_layer_.
void Evaluator::project_at(std::span<const double> hidden) {
  projected_.assign(hidden.begin(), hidden.end());
  set_hidden(hidden);
  const std::size_t units = shape_.units, outputs = shape_.outputs, n = units + 1, columns = n + outputs;
  run_chunks([&](const ChunkRows& rows, const TileScratch& scratch, std::size_t chunk) {
    project_chunk(block_, rows, scratch, gram_.data() + chunk * units * columns);
  });
  for (std::size_t i = units * columns; i < gram_.size(); ++i) gram_[i % (units * columns)] += gram_[i];
  const double scale = 1.0 / rows_->total_weight;
  for (std::size_t i = 0; i < units; ++i) {
    const double* row = gram_.data() + i * columns;
    for (std::size_t q = i; q < n; ++q) square_[q * n + i] = row[q] * scale;
    for (std::size_t k = 0; k < outputs; ++k) right_[i * outputs + k] = row[n + k] * scale;
    square_[i * n + i] += alpha_over_n_;
  }
  square_[n * n - 1] = 1.0;
  for (std::size_t k = 0; k < outputs; ++k) right_[units * outputs + k] = bias_row_[k] * scale;
  solver::solve_positive(square_, right_, n, outputs);
  std::ranges::copy(right_, output_layer_.begin());
  set_output(output_layer_);
}

const float* Evaluator::hidden_outputs(const network::Block& block, const ResidentRows& rows) const {
  // Sums by lookup are added in another order than a forward pass adds them.
  if (rows_ != &rows || projected_.empty() || !lookup_.empty() || block.units != shape_.units) return nullptr;
  const auto same = [](float weight, double parameter) { return weight == static_cast<float>(parameter); };
  const auto weights = std::span(projected_).first(shape_.hidden_bias_at());
  const auto bias = std::span(projected_).subspan(shape_.hidden_bias_at());
  const bool is_it = block.features == drawn_ && std::ranges::equal(block.hidden_weights, weights, same) &&
                     std::ranges::equal(block.hidden_bias, bias, same);
  return is_it ? hidden_.data() : nullptr;
}

/// From every so many tiles, in parts that are joined in order, whoever computes them.
void Evaluator::curvature(std::span<double> matrix) {
  constexpr std::size_t parts = 4;
  const std::size_t t = block_.tile_rows, n = curvature_columns(shape_), tiles = rows_->x->tiles();
  const std::size_t every = std::max<std::size_t>(1, tiles * t / std::max(curvature_rows, 8 * n));
  const std::size_t sampled = (tiles - every / 2 + every - 1) / every;
  const std::size_t floats = (n + data::ramps_among(sources_)) * t;
  columns_.resize(parts * floats);
  pointers_.resize(std::max(pointers_.size(), parts * sources_.size()));
  products_.assign(parts * n * n, 0.0);
  auto add_part = [&](std::size_t part) {
    const core::FlushDenormals fast;
    float* columns = columns_.data() + part * floats;
    const float** pointers = pointers_.data() + part * sources_.size();
    const CurvatureRoom room{sources_, shape_, t, block_.activation, columns, columns + n * t, pointers};
    for (std::size_t i = part * sampled / parts; i < (part + 1) * sampled / parts; ++i) {
      const std::size_t tile = every / 2 + i * every;
      const TileRows rows = rows_->tile(tile, fit_);
      add_curvature_products(room, {rows.x, hidden_.data() + tile * shape_.units * t, rows.weights, rows.rows},
                             products_.data() + part * n * n);
    }
  };
  if (groups_ == 1)
    for (std::size_t part = 0; part < parts; ++part) add_part(part);
  else
    workers_->run(parts, std::ref(add_part));
  for (std::size_t i = n * n; i < products_.size(); ++i) products_[i % (n * n)] += products_[i];
  products_.resize(n * n);
  const double weight = products_[shape_.units * n + shape_.units];  // of the column of ones with itself
  for (double& product : products_) product /= weight > 0.0 ? weight : 1.0;
  gauss_newton(shape_, products_, output_layer_, alpha_over_n_, matrix);
}

}  // namespace accrete::backend
