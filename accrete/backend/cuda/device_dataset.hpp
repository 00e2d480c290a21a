#pragma once
// Rows in device memory, and a fit's configuration in the form that kernels read.

#include <vector>

#include "accrete/backend/cuda/layout.hpp"
#include "accrete/backend/cuda/memory.hpp"
#include "accrete/backend/cuda/plan.hpp"
#include "accrete/config/config.hpp"
#include "accrete/data/dataset.hpp"

namespace accrete::cuda {

class DeviceDataset {
 public:
  /// quads: column-major plus DeviceRows::quads, which doubles the memory; otherwise tile by tile.
  DeviceDataset(const data::Dataset& train, const data::Features& test, bool quads);
  const DeviceRows& rows() const { return rows_; }
  /// The maximum number of features in a step that draws this many groups.
  std::size_t max_features(std::size_t groups) const;

 private:
  void measure_groups(const data::Features& features);

  std::vector<std::size_t> group_sizes_;  ///< largest first; empty: every feature is a group
  DeviceArray<float> x_, quads_, targets_, weights_;
  DeviceArray<unsigned> group_starts_;
  DeviceRows rows_;
};

/// The plan of all steps of a fit, without addresses. Throws core::Error if the rows need more than 32-bit indices.
FitPlan make_plan(const config::ResolvedConfig& config, std::size_t outputs, const DeviceDataset& dataset);

/// Memory of the L-BFGS solver for NarrowVectors or WideVectors.
template <class Vectors>
SolverSize solver_size(std::size_t parameters);

}  // namespace accrete::cuda
