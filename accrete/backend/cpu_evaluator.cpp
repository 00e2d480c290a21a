#include "accrete/backend/cpu_evaluator.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "accrete/backend/kernels/score_kernel.hpp"
#include "accrete/backend/kernels/sparse_gradient_kernel.hpp"
#include "accrete/core/denormals.hpp"
#include "accrete/data/feature_memory.hpp"

namespace accrete::backend {

void CpuEvaluator::set_view(const ResidentRows& rows, const BlockShape& shape, const StepView& view,
                            const TrainingProblem& problem) {
  rows_ = &rows;
  workers_ = &problem.workers;
  shape_ = shape;
  chunk_sum_ = comm::TreeSum(problem.comm, rows.chunks.share);
  alpha_over_n_ = view.alpha / (static_cast<double>(rows.chunks.rows) * problem.dataset.row_weight);
  features_.assign(view.features.begin(), view.features.end());
  const std::vector<data::FeatureSource> sources = rows.x->sources(view.features);
  lookup_.build(sources, shape.units);
  lookup_rows_.encode(lookup_, *rows.x, problem.workers);
  sparse_.build(*rows.x, features_, shape.units);
  curvature_.set_view(rows, shape, features_, !sparse_.empty(), problem);
  sparse_deltas_.resize(sparse_.empty() ? 0 : rows.x->rows() * sparse_.width());
  dense_sources_.clear();
  for (const std::size_t i : lookup_.dense()) dense_sources_.push_back(sources[i]);
  const std::size_t t = rows.x->tile_rows();
  input_offsets_.clear();
  for (const data::FeatureSource& source : dense_sources_) input_offsets_.push_back(source.column * t);

  weights_.allocate(shape, dense_sources_.size(), t);
  block_ = {.features = dense_sources_.size(),
            .units = shape.units,
            .outputs = shape.outputs,
            .tile_rows = t,
            .activation = problem.activation.index,
            .loss = problem.loss.index,
            .squared_error = false,
            .settings = problem.loss.settings,
            .feature_sources = dense_sources_.data(),
            .input_offsets = data::count_computed(dense_sources_) > 0 ? nullptr : input_offsets_.data(),
            .lookup = &lookup_,
            .sparse = &sparse_,
            .sparse_deltas = sparse_deltas_.data(),
            .input_stride = data::are_contiguous(dense_sources_) ? t : 0};
  weights_.assign_to(block_);
  allocate_scratch();
  set_objective(view.objective);
}

void CpuEvaluator::allocate_scratch() {
  const std::size_t t = block_.tile_rows, chunks = rows_->chunks.count();
  const std::size_t f = block_.features, j = shape_.units, k = shape_.outputs;
  const std::size_t entries = sparse_.empty() ? 0 : sparse_.block().by_row.entries();
  const std::size_t dense = shape_.features - sparse_.features().size();
  const bool small = j * (rows_->x->rows() * (dense + 8) + entries) < min_parallel_work;
  segments_ = small || workers_->threads() == 1 ? 1 : std::clamp<std::size_t>(chunks, 1, 4 * workers_->threads());
  delta_tiles_ = std::min(rows_->chunks.tiles_per_chunk, max_tiles_per_accumulate(t, rows_->x->stored().cols()));
  const std::size_t lookup = lookup_.empty() ? 0 : lookup_.tables().width * t;
  const std::size_t floats = (1 + delta_tiles_) * j * t + 2 * k * t + t + ((f + 1) * j + (j + 1) * k) * line_floats +
                             lookup + data::count_computed(dense_sources_) * t;
  scratch_.resize(segments_ * floats);
  pointers_.resize(segments_ * (f + 1 + j + 1 + k));
  chunk_sums_.resize(chunks * (1 + dense_shape().size()));
  lookup_sums_.resize(chunks * lookup_.tables().size);
}

void CpuEvaluator::set_objective(StepObjective objective) {
  objective_ = objective;
  projected_hidden_.clear();
  block_.squared_error = objective != StepObjective::loss;
  if (objective != StepObjective::projected) return;
  const std::size_t j = shape_.units, k = shape_.outputs, t = block_.tile_rows, chunks = rows_->chunks.count();
  hidden_.resize(rows_->x->tiles() * j * t);
  gram_.resize(chunks * j * (j + 1 + k));
  projected_hidden_.reserve(shape_.hidden_size());
  output_layer_.allocate(j, k);
  sum_targets();
}

/// The right-hand side for the output bias does not depend on the hidden layer, so it is summed only once.
void CpuEvaluator::sum_targets() {
  const std::size_t outputs = shape_.outputs;
  std::vector<double> sums(rows_->chunks.count() * outputs, 0.0);
  for (std::size_t c = 0; c < rows_->chunks.count(); ++c)
    for (std::size_t tile = rows_->chunks.tiles_of(c).first; tile < rows_->chunks.tiles_of(c).last; ++tile) {
      const TileRows rows = rows_->tile(tile, objective_);
      for (std::size_t k = 0; k < outputs; ++k)
        sums[c * outputs + k] += sum_weighted(rows.targets + k * block_.tile_rows, rows.weights, rows.rows);
    }
  output_layer_.set_target_sums(chunk_sum_.add(sums.data(), outputs, outputs));
}

void CpuEvaluator::set_hidden(std::span<const double> parameters) {
  weights_.set_hidden(parameters, lookup_.dense());
  lookup_.set_weights(parameters.first(shape_.hidden_bias_at()));
  if (!sparse_.empty()) sparse_.set_weights(parameters.first(shape_.hidden_bias_at()));
}

TileScratch CpuEvaluator::segment_scratch(std::size_t segment) {
  const std::size_t t = block_.tile_rows, f = block_.features, j = shape_.units, k = shape_.outputs;
  float* next = scratch_.data() + segment * (scratch_.size() / segments_);
  auto take = [&](std::size_t n) { return std::exchange(next, next + n); };
  TileScratch s{};
  s.hidden = take(j * t), s.delta = take(delta_tiles_ * j * t);
  s.out = take(k * t), s.errors = take(k * t), s.values = take(t);
  s.hidden_sums = take((f + 1) * j * line_floats), s.output_sums = take((j + 1) * k * line_floats);
  if (!lookup_.empty()) s.interleaved = take(lookup_.tables().width * t);
  s.ramps = next;
  s.inputs = pointers_.data() + segment * (pointers_.size() / segments_);
  s.columns = s.inputs + f + 1;
  return s;
}

/// Calls f(rows, scratch, chunk) for every chunk. The projected objective keeps the hidden outputs of all rows.
template <class F>
void CpuEvaluator::run_chunks(const F& f) {
  const std::size_t chunks = rows_->chunks.count();
  // Alternates the direction of passes, because the chunks read last are still in the nearest cache.
  reversed_ = !reversed_ && !data::exceeds_l2(*rows_->x);
  auto run_segment = [&](std::size_t segment) {
    const core::FlushDenormals flush;
    TileScratch scratch = segment_scratch(segment);
    const std::size_t begin = segment * chunks / segments_, end = (segment + 1) * chunks / segments_;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t c = reversed_ ? begin + end - 1 - i : i;
      const TileRange tiles = rows_->chunks.tiles_of(c);
      if (objective_ == StepObjective::projected)
        scratch.hidden = hidden_.data() + tiles.first * shape_.units * block_.tile_rows;
      ChunkRows rows = rows_->chunk(tiles, objective_);
      scratch.lookup_sums = lookup_sums_.data() + c * lookup_.tables().size;
      rows.first.lookup_entries = lookup_rows_.tile(tiles.first);
      rows.lookup_tables = lookup_.tables().count;
      f(rows, scratch, c);
    }
  };
  if (segments_ == 1)
    run_segment(0);
  else
    workers_->run(segments_, std::ref(run_segment));  // std::ref: no allocation for a std::function
}

/// Adds the sums of all chunks and the penalty.
double CpuEvaluator::reduce_chunks(std::span<const double> parameters, std::span<double> gradient) {
  const std::size_t stride = 1 + dense_shape().size();
  const std::size_t size = gradient.size() - shape_.hidden_size() + dense_shape().hidden_size();
  const std::span<const double> sums = chunk_sum_.add(chunk_sums_.data(), stride, 1 + size);
  const double value = sums[0];
  if (lookup_.empty() && sparse_.empty()) {
    std::ranges::copy(sums.subspan(1), gradient.begin());
  } else {
    dense_sums_.assign(sums.begin() + 1, sums.end());
    expand_gradient(dense_sums_, gradient);
  }
  const double scale = 1.0 / rows_->total_weight;
  for (double& g : gradient) g *= scale;
  return value / rows_->total_weight + add_penalty(shape_, alpha_over_n_, parameters, gradient);
}

/// Computes the gradient of all parameters from the sums of dense features, the sums of lookup tables over all chunks
/// and the deltas of all rows.
void CpuEvaluator::expand_gradient(std::span<const double> dense, std::span<double> gradient) {
  const std::size_t units = shape_.units, all = shape_.features, few = lookup_.dense().size();
  const std::size_t size = lookup_.tables().size;
  if (size > 0) lookup_.weight_gradient(chunk_sum_.add(lookup_sums_.data(), size, size).data(), gradient.data());
  if (!sparse_.empty()) write_sparse_gradients(gradient);
  // With a single output, the deltas do not include the output weight; the kernel multiplies by it for dense features
  // only.
  for (std::size_t j = 0; shape_.outputs == 1 && j < units; ++j)
    for (std::size_t i = 0; i < all; ++i)
      gradient[j * all + i] *= static_cast<double>(block_.output_weights_transposed[j]);
  for (std::size_t j = 0; j < units; ++j)
    for (std::size_t i = 0; i < few; ++i) gradient[j * all + lookup_.dense()[i]] = dense[j * few + i];
  std::ranges::copy(dense.subspan(units * few), gradient.begin() + static_cast<std::ptrdiff_t>(units * all));
}

void CpuEvaluator::write_sparse_gradients(std::span<double> gradient) {
  const SparseGradient args{.layer = sparse_,
                            .deltas = sparse_deltas_.data(),
                            .block_features = shape_.features,
                            .gradient = gradient.data()};
  const std::size_t count = sparse_.features().size(), tasks = std::min(count, 4 * segments_);
  auto write = [&](std::size_t task) {
    const core::FlushDenormals flush;
    write_sparse_gradient(args, task * count / tasks, (task + 1) * count / tasks);
  };
  if (segments_ == 1)
    write_sparse_gradient(args, 0, count);
  else
    workers_->run(tasks, std::ref(write));
}

double CpuEvaluator::evaluate(std::span<const double> parameters, std::span<double> gradient) {
  const std::size_t stride = 1 + dense_shape().size();
  if (objective_ == StepObjective::projected) {
    solve_output_layer(parameters);
    run_chunks([&](const ChunkRows& rows, const TileScratch& scratch, std::size_t chunk) {
      evaluate_projected_chunk(block_, rows, scratch, chunk_sums_.data() + chunk * stride);
    });
    return reduce_chunks(parameters, gradient) + 0.5 * alpha_over_n_ * output_layer_.squared_weights();
  }
  set_hidden(parameters);
  weights_.set_output(parameters.subspan(shape_.hidden_size()));
  run_chunks([&](const ChunkRows& rows, const TileScratch& scratch, std::size_t chunk) {
    evaluate_chunk(block_, rows, scratch, chunk_sums_.data() + chunk * stride);
  });
  return reduce_chunks(parameters, gradient);
}

void CpuEvaluator::project(std::span<const double> hidden, std::span<double> output_layer) {
  if (!std::ranges::equal(hidden, projected_hidden_)) solve_output_layer(hidden);
  std::ranges::copy(output_layer_.solution(), output_layer.begin());
}

/// Computes hidden_ and solves the output layer for a hidden layer.
void CpuEvaluator::solve_output_layer(std::span<const double> hidden) {
  projected_hidden_.assign(hidden.begin(), hidden.end());
  set_hidden(hidden);
  const std::size_t units = shape_.units, columns = units + 1 + shape_.outputs;
  run_chunks([&](const ChunkRows& rows, const TileScratch& scratch, std::size_t chunk) {
    project_chunk(block_, rows, scratch, gram_.data() + chunk * units * columns);
  });
  const std::span<const double> gram = chunk_sum_.add(gram_.data(), units * columns, units * columns);
  output_layer_.solve(gram, rows_->total_weight, alpha_over_n_);
  weights_.set_output(output_layer_.solution());
}

const float* CpuEvaluator::hidden_outputs(const network::Block& block, const ResidentRows& rows) const {
  // Lookup tables add features in a different order than the forward pass, which changes the bits.
  if (rows_ != &rows || projected_hidden_.empty() || !lookup_.empty() || block.units != shape_.units) return nullptr;
  const auto same = [](float weight, double parameter) { return weight == static_cast<float>(parameter); };
  const auto weights = std::span(projected_hidden_).first(shape_.hidden_bias_at());
  const auto bias = std::span(projected_hidden_).subspan(shape_.hidden_bias_at());
  const bool equal = block.features == features_ && std::ranges::equal(block.hidden_weights, weights, same) &&
                     std::ranges::equal(block.hidden_bias, bias, same);
  return equal ? hidden_.data() : nullptr;
}

void CpuEvaluator::curvature(std::span<double> matrix) {
  curvature_.compute(hidden_.data(), output_layer_.solution(), alpha_over_n_, segments_ > 1, matrix);
}

}  // namespace accrete::backend
