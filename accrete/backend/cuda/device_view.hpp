#pragma once
// A view of training rows in device memory, the block that is evaluated on it, and the sums that evaluations return.

#include <cstddef>
#include <cstdint>
#include <span>

#include "accrete/backend/cuda/device_columns.hpp"
#include "accrete/backend/cuda/evaluator_kernels.hpp"
#include "accrete/backend/cuda/memory.hpp"
#include "accrete/backend/resident_lookup_rows.hpp"
#include "accrete/backend/resident_rows.hpp"
#include "accrete/backend/rows.hpp"
#include "accrete/network/lookup.hpp"

namespace accrete::cuda {

class DeviceView {
 public:
  /// Copies rows, except their targets, and reserves memory, which the next view reuses. Keeps references. sources: of
  /// all features; those without a table must be stored columns.
  void set(const backend::ResidentRows& rows, network::LookupLayer& lookup, const backend::BlockShape& shape,
           std::span<const data::FeatureSource> sources, const backend::TrainingProblem& problem);
  /// Copies the targets of the loss with the current scores, or the residuals.
  void set_targets(bool of_loss);
  /// Copies the tables of the lookup layer, and weights and biases of `parameters`, in BlockShape order.
  void set_hidden(std::span<const double> parameters);
  /// output_layer: output weights (units x outputs), then output bias.
  void set_output(std::span<const double> output_layer);

  const EvaluatorState& state() const { return state_; }
  /// Sums of an evaluation besides the partials: of table entries, then of the dense weights.
  std::size_t weight_sums() const { return lookup_->tables().size + std::size_t{state_.dense} * state_.width; }
  double* device_sums() { return memory_.sums.data(); }
  /// Waits for the GPU and copies the first `count` of device_sums() to sums(); they are 0 if there are no rows.
  void read_sums(std::size_t count);
  double* sums() { return sums_.data(); }

  Columns hidden(bool with_ones) const;
  Columns deltas() const;
  /// Ones, by which the deltas of all rows are added, unless those of a table's entries are.
  Columns bias() const { return {.with_ones = state_.tables == 0}; }
  Columns errors() const { return by_tile(state_.errors); }
  Columns targets() const { return by_tile(state_.targets); }

 private:
  /// Offsets of the block's float arrays in one buffer; EvaluatorState describes them.
  struct BlockLayout {
    std::size_t tables = 0, dense_weights = 0, hidden_bias = 0, output_weights = 0, output_bias = 0, size = 0;
  };
  struct ViewMemory {
    DeviceArray<std::uint16_t> entries;
    DeviceArray<unsigned> table_offsets, dense_columns;
    DeviceArray<float> targets, scores, weights, block, hidden, deltas, new_scores, errors, dense_partials;
    DeviceArray<double> partials, sums;
  };

  void set_sizes(const backend::TrainingProblem& problem);
  void upload_rows(std::span<const data::FeatureSource> sources, const backend::TrainingProblem& problem);
  void lay_out_block();
  void reserve_values();
  void upload_block(std::size_t first, std::size_t last);
  Columns by_tile(const float* values) const;

  const backend::ResidentRows* rows_ = nullptr;
  network::LookupLayer* lookup_ = nullptr;
  backend::BlockShape shape_;
  backend::ResidentLookupRows lookup_rows_;
  DeviceColumns columns_;
  EvaluatorState state_ = {};
  ViewMemory memory_;
  BlockLayout layout_;
  PinnedArray<float> block_;
  PinnedArray<double> sums_;
};

}  // namespace accrete::cuda
