#pragma once
// The backward pass of lookup tables on a GPU: the deltas of the rows of each table entry are summed by gathering them
// in the order of the entries, without atomics, so that the order of additions is fixed.

#include <cstddef>

#include "accrete/backend/cuda/evaluator_kernels.hpp"
#include "accrete/backend/cuda/memory.hpp"

namespace accrete::cuda {

/// The rows of each table entry, in segments of limited size, so that entries with many rows are added in parallel.
class EntryRows {
 public:
  /// entries: in all tables.
  void sort(const EvaluatorState& state, std::size_t entries);
  /// sums: width deltas for each entry.
  void add_deltas(const EvaluatorState& state, double* sums);

 private:
  std::size_t entries_ = 0, segments_ = 0;
  DeviceArray<unsigned> keys_, sorted_keys_, positions_, rows_;  ///< rows_: by entry
  DeviceArray<char> scratch_;
  DeviceArray<unsigned> segment_starts_;  ///< in rows_
  DeviceArray<unsigned> entry_segments_;  ///< first segment of each entry
  DeviceArray<float> segment_sums_;
};

}  // namespace accrete::cuda
