#pragma once
// Rows in device memory, and a fit's configuration as the device is told of it.

#include <span>

#include "accrete/backend/cuda/layout.hpp"
#include "accrete/backend/cuda/memory.hpp"
#include "accrete/backend/cuda/plan.hpp"
#include "accrete/boosting/config.hpp"
#include "accrete/data/dataset.hpp"

namespace accrete::cuda {

class Resident {
 public:
  /// quads: feature by feature, with DeviceRows::quads, which take as much memory again; else tile by tile.
  Resident(const data::Dataset& train, const data::Features& test, bool quads);
  const DeviceRows& rows() const { return rows_; }

 private:
  DeviceArray<float> x_, quads_, y_, w_;
  DeviceRows rows_;
};

/// All of a fit but addresses. Throws core::Error of one line where there are more numbers than the device counts to.
FitPlan plan_of(const boosting::Config& config, std::size_t outputs, const DeviceRows& rows);

/// Of the solver of such a step, whose vectors are laid out so.
template <class Vectors>
SolverRoom solver_room(std::size_t parameters);

}  // namespace accrete::cuda
