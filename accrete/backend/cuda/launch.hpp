#pragma once
// Many fits of one kernel, on the device together: each is one block of threads, from the first step to the scores of
// its test rows.

#include <functional>
#include <span>
#include <vector>

#include "accrete/backend/cuda/kernels.hpp"
#include "accrete/backend/cuda/layout.hpp"
#include "accrete/backend/cuda/memory.hpp"
#include "accrete/backend/cuda/plan.hpp"
#include "accrete/backend/many_fits.hpp"

namespace accrete::cuda {

/// What of a device plans are made by.
struct Properties {
  std::size_t processors, shared_per_block, shared_per_processor, cache;  ///< cache: of the second level
};

/// For the largest of its fits; a kernel that is not general may want more shared memory than there is.
Layout lay_out_many(const Extent& extent, const Kernel& kernel, const Properties& device);

class Launch {
 public:
  /// Done when it is made. `which` of the fits; they have one kernel.
  Launch(std::span<const backend::WholeFit> fits, std::span<const std::size_t> which, std::span<const DeviceRows> rows,
         const Kernel& kernel, const Properties& device);

  /// Results in the order of `which`.
  void collect(std::span<const DeviceRows> rows,
               const std::function<void(std::size_t fit, const backend::FitScores&)>& done) const;

  double seconds() const { return seconds_; }  ///< of the kernel, by the device's own clock

 private:
  void set_addresses(std::span<const DeviceRows> rows);
  void run(const Kernel& kernel, const Properties& device);

  std::span<const backend::WholeFit> fits_;
  std::span<const std::size_t> which_;
  std::vector<FitPlan> plans_;
  Extent extent_;
  DeviceArray<double> start_, losses_;
  DeviceArray<unsigned> prefix_;
  DeviceArray<float> scores_;
  DeviceArray<FitPlan> device_plans_;
  DeviceArray<DeviceRows> device_rows_;
  double seconds_ = 0.0;
};

}  // namespace accrete::cuda
