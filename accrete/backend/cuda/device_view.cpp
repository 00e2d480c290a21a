#include "accrete/backend/cuda/device_view.hpp"

#include <algorithm>
#include <vector>

#include "accrete/backend/cuda/dense_layer.hpp"
#include "accrete/backend/cuda/layout.hpp"

namespace accrete::cuda {
namespace {

template <class T, class Values>
void upload(const Values& values, DeviceArray<T>& to) {
  to.reserve(values.size());
  to.write(std::span<const T>(values.data(), values.size()));
}

}  // namespace

void DeviceView::set(const backend::ResidentRows& rows, network::LookupLayer& lookup, const backend::BlockShape& shape,
                     std::span<const data::FeatureSource> sources, const backend::TrainingProblem& problem) {
  rows_ = &rows, lookup_ = &lookup, shape_ = shape;
  set_sizes(problem);
  upload_rows(sources, problem);
  lay_out_block();
  reserve_values();
}

void DeviceView::set_sizes(const backend::TrainingProblem& problem) {
  state_ = {};
  state_.rows = static_cast<unsigned>(rows_->x->rows());
  state_.block_rows = rows_per_block(state_.rows);
  state_.tile_rows = static_cast<unsigned>(rows_->x->tile_rows());
  state_.tables = static_cast<unsigned>(lookup_->tables().count);
  state_.dense = static_cast<unsigned>(lookup_->dense().size());
  state_.units = static_cast<unsigned>(shape_.units);
  state_.width = static_cast<unsigned>(lookup_->tables().width);
  state_.outputs = static_cast<unsigned>(shape_.outputs);
  state_.stored_columns = static_cast<unsigned>(rows_->x->stored().cols());
  state_.dense_block_rows = dense_block_rows(state_.rows, state_.dense, state_.width);
  state_.activation = static_cast<unsigned>(problem.activation.index);
  state_.loss = static_cast<unsigned>(problem.loss.index);
  state_.settings = problem.loss.settings;
}

void DeviceView::upload_rows(std::span<const data::FeatureSource> sources, const backend::TrainingProblem& problem) {
  const data::Features& x = *rows_->x;
  lookup_rows_.encode(*lookup_, x, problem.workers);
  upload(std::span(lookup_rows_.tile(0), x.tiles() * lookup_->tables().count * x.tile_rows()), memory_.entries);
  const std::span starts(lookup_->tables().starts, lookup_->tables().count);
  upload(std::vector<unsigned>(starts.begin(), starts.end()), memory_.table_offsets);
  upload(rows_->weights, memory_.weights);
  std::vector<unsigned> dense_columns;
  for (const std::size_t f : lookup_->dense()) dense_columns.push_back(static_cast<unsigned>(sources[f].column));
  upload(dense_columns, memory_.dense_columns);
  state_.columns = state_.dense > 0 ? columns_.copy(x, &x == &problem.dataset.features) : nullptr;
  state_.entries = memory_.entries.data();
  state_.table_offsets = memory_.table_offsets.data();
  state_.weights = memory_.weights.data();
  state_.dense_columns = memory_.dense_columns.data();
}

void DeviceView::set_targets(bool of_loss) {
  upload(of_loss ? rows_->targets : rows_->residuals, memory_.targets);
  if (of_loss) upload(rows_->scores, memory_.scores);
  state_.squared_error = !of_loss;
  state_.target_columns = static_cast<unsigned>(of_loss ? rows_->target_columns : shape_.outputs);
  state_.targets = memory_.targets.data();
  state_.scores = memory_.scores.data();
}

void DeviceView::lay_out_block() {
  const std::size_t width = state_.width;
  layout_.tables = 0;
  layout_.dense_weights = lookup_->tables().size;
  layout_.hidden_bias = layout_.dense_weights + state_.dense * width;
  layout_.output_weights = layout_.hidden_bias + width;
  layout_.output_bias = layout_.output_weights + state_.outputs * width;
  layout_.size = layout_.output_bias + state_.outputs;
  block_.reserve(layout_.size);
  std::fill_n(block_.data(), layout_.size, 0.0f);
  memory_.block.reserve(layout_.size);
  state_.table_values = memory_.block.data() + layout_.tables;
  state_.dense_weights = memory_.block.data() + layout_.dense_weights;
  state_.hidden_bias = memory_.block.data() + layout_.hidden_bias;
  state_.output_weights = memory_.block.data() + layout_.output_weights;
  state_.output_bias = memory_.block.data() + layout_.output_bias;
}

void DeviceView::reserve_values() {
  const std::size_t rows = state_.rows, units = shape_.units, outputs = shape_.outputs;
  const std::size_t padded = rows_->x->tiles() * rows_->x->tile_rows();
  for (auto* array : {&memory_.hidden, &memory_.deltas}) array->reserve(rows * state_.width);
  for (auto* array : {&memory_.new_scores, &memory_.errors}) array->reserve(padded * outputs);
  const std::size_t of_step = 1 + units + (units + 1) * outputs;
  const std::size_t of_projection = units * (units + 1 + outputs);
  state_.partial_count = static_cast<unsigned>(std::max(of_step, of_projection));
  memory_.partials.reserve(std::size_t{row_blocks(rows)} * state_.partial_count);
  memory_.dense_partials.reserve(dense_blocks(state_) * state_.dense * state_.width);
  memory_.sums.reserve(state_.partial_count + weight_sums());
  sums_.reserve(state_.partial_count + weight_sums());
  state_.hidden = memory_.hidden.data(), state_.deltas = memory_.deltas.data();
  state_.new_scores = memory_.new_scores.data(), state_.errors = memory_.errors.data();
  state_.partials = memory_.partials.data(), state_.dense_partials = memory_.dense_partials.data();
}

void DeviceView::set_hidden(std::span<const double> parameters) {
  const std::size_t features = shape_.features, width = state_.width;
  lookup_->set_weights(parameters.first(shape_.hidden_bias_at()));
  std::copy_n(lookup_->tables().values, lookup_->tables().size, block_.data() + layout_.tables);
  for (std::size_t j = 0; j < shape_.units; ++j) {
    for (std::size_t i = 0; i < state_.dense; ++i)
      block_.data()[layout_.dense_weights + i * width + j] =
          static_cast<float>(parameters[j * features + lookup_->dense()[i]]);
    block_.data()[layout_.hidden_bias + j] = static_cast<float>(parameters[shape_.hidden_bias_at() + j]);
  }
  upload_block(0, layout_.output_weights);
  compute_hidden(state_);
}

void DeviceView::set_output(std::span<const double> output_layer) {
  const std::size_t units = shape_.units, outputs = shape_.outputs;
  for (std::size_t k = 0; k < outputs; ++k) {
    for (std::size_t j = 0; j < units; ++j)
      block_.data()[layout_.output_weights + k * state_.width + j] = static_cast<float>(output_layer[j * outputs + k]);
    block_.data()[layout_.output_bias + k] = static_cast<float>(output_layer[units * outputs + k]);
  }
  upload_block(layout_.output_weights, layout_.size);
}

/// The GPU reads this part of the block before the next read_sums returns.
void DeviceView::upload_block(std::size_t first, std::size_t last) {
  check(cudaMemcpyAsync(memory_.block.data() + first, block_.data() + first, (last - first) * sizeof(float),
                        cudaMemcpyHostToDevice),
        "copy a step's weights to it");
}

void DeviceView::read_sums(std::size_t count) {
  if (state_.rows == 0) return void(std::fill_n(sums_.data(), count, 0.0));
  check(cudaMemcpy(sums_.data(), memory_.sums.data(), count * sizeof(double), cudaMemcpyDeviceToHost),
        "evaluate a step");
}

Columns DeviceView::hidden(bool with_ones) const {
  return {.values = state_.hidden,
          .count = state_.units,
          .row_stride = quad,
          .quad_stride = quad * state_.rows,
          .with_ones = with_ones};
}
Columns DeviceView::deltas() const {
  return {.values = state_.deltas, .count = state_.units, .row_stride = state_.width, .quad_stride = quad};
}
Columns DeviceView::by_tile(const float* values) const {
  return {.values = values,
          .count = state_.outputs,
          .column_stride = state_.tile_rows,
          .tile_stride = state_.outputs * state_.tile_rows};
}
}  // namespace accrete::cuda
