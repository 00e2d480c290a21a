#pragma once
// Launches many fits; one block of threads runs each of them from the first step to the scores of its test rows.

#include <functional>
#include <span>
#include <vector>

#include "accrete/backend/cuda/kernels.hpp"
#include "accrete/backend/cuda/memory.hpp"
#include "accrete/backend/fit_device.hpp"

namespace accrete::cuda {

struct GpuProperties {
  std::size_t multiprocessors, shared_per_block, shared_per_multiprocessor;  ///< shared memory in bytes
};

/// Sets the kernel's shared memory and returns how many of its blocks fit on a multiprocessor.
std::size_t prepare_kernel(const Kernel& kernel, const Layout& layout);

/// The layout for fits up to this shape. A fixed kernel may need more shared memory than the device has.
Layout lay_out_fits(const LaunchShape& shape, const Kernel& kernel, const GpuProperties& gpu);

class FitLaunch {
 public:
  /// Runs fits[i] for each i in `selected`, which must use the same kernel, and waits for them.
  FitLaunch(std::span<const backend::FitRequest> fits, std::span<const std::size_t> selected,
            std::span<const FitPlan> plans, std::span<const DeviceRows> datasets, const Kernel& kernel,
            const GpuProperties& gpu);

  /// Calls done(i, scores) for each i in `selected`, in order.
  void collect(std::span<const DeviceRows> datasets,
               const std::function<void(std::size_t fit, const backend::FitScores&)>& done) const;

  double seconds() const { return seconds_; }  ///< kernel time by the device's clock

 private:
  void upload(std::span<const backend::FitRequest> fits, std::span<const DeviceRows> datasets);
  void run(std::span<const DeviceRows> datasets, const Kernel& kernel, const GpuProperties& gpu);

  std::span<const std::size_t> selected_;
  std::vector<FitPlan> plans_;
  LaunchShape shape_;
  DeviceArray<double> start_, losses_;
  DeviceArray<unsigned> prefixes_;
  DeviceArray<float> scores_;
  double seconds_ = 0.0;
};

}  // namespace accrete::cuda
