#include "accrete/backend/cuda/launch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "accrete/backend/cuda/device_dataset.hpp"
#include "accrete/core/error.hpp"

namespace accrete::cuda {
namespace {

using backend::FitRequest;

/// Rough relative cost of a fit; the most expensive fits start first.
double estimate_cost(const FitPlan& plan) {
  const double iterations = double(plan.descents.joint.iterations + plan.descents.main.iterations);
  return double(plan.end_step) * iterations * plan.drawn_rows * (plan.width + 8.0) * (plan.units + 1.0);
}

}  // namespace

std::size_t prepare_kernel(const Kernel& kernel, const Layout& layout) {
  check(cudaFuncSetAttribute(kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(layout.shared_bytes)),
        "reserve shared memory");
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel.function, static_cast<int>(kernel.threads),
                                                      layout.shared_bytes),
        "compute the occupancy");
  return static_cast<std::size_t>(resident);
}

Layout lay_out_fits(const LaunchShape& shape, const Kernel& kernel, const GpuProperties& gpu) {
  // With 1/18 of the shared memory per warp, registers limit the occupancy, and the rest of the memory serves as cache.
  // A single warp relies on shared memory.
  const unsigned warps = kernel.threads / warp_lanes;
  const std::size_t shared = warps == 1 ? gpu.shared_per_block : gpu.shared_per_multiprocessor * warps / 18;
  return lay_out(shape, solver_size<NarrowVectors>(shape.parameters()),
                 {.shared_bytes = shared, .warps = warps, .general = kernel.general});
}

FitLaunch::FitLaunch(std::span<const FitRequest> fits, std::span<const std::size_t> selected,
                     std::span<const FitPlan> plans, std::span<const DeviceRows> datasets, const Kernel& kernel,
                     const GpuProperties& gpu)
    : selected_(selected) {
  for (const std::size_t f : selected) shape_.include(plans_.emplace_back(plans[f]), datasets[plans[f].dataset]);
  upload(fits, datasets);
  run(datasets, kernel, gpu);
}

void FitLaunch::collect(std::span<const DeviceRows> datasets,
                        const std::function<void(std::size_t, const backend::FitScores&)>& done) const {
  std::vector<float> scores(scores_.size());
  std::vector<double> losses(selected_.size());
  scores_.read(scores);
  losses_.read(losses);
  const float* at = scores.data();
  for (std::size_t i = 0; i < selected_.size(); ++i) {
    const std::size_t test = datasets[plans_[i].dataset].test_rows, outputs = plans_[i].outputs;
    backend::FitScores result{losses[i], {}};
    for (unsigned p = 0; p < plans_[i].prefix_count; ++p, at += test * outputs) {
      auto& matrix = result.prefixes.emplace_back(test, outputs);
      for (std::size_t k = 0; k < outputs; ++k)
        for (std::size_t r = 0; r < test; ++r) matrix(r, k) = at[k * test + r];
    }
    done(selected_[i], result);
  }
}

/// Copies start scores and prefixes to the device, allocates the results, and fills in the addresses of the plans.
void FitLaunch::upload(std::span<const FitRequest> fits, std::span<const DeviceRows> datasets) {
  std::vector<double> starts;
  std::vector<unsigned> prefixes;
  std::vector<std::size_t> start_at, prefix_at, score_at;
  std::size_t scores = 0;
  for (std::size_t i = 0; i < selected_.size(); ++i) {
    const FitRequest& fit = fits[selected_[i]];
    plans_[i].prefix_count = static_cast<unsigned>(fit.prefixes.size());
    start_at.push_back(starts.size());
    prefix_at.push_back(prefixes.size());
    score_at.push_back(scores);
    starts.insert(starts.end(), fit.start.begin(), fit.start.end());
    for (const std::size_t p : fit.prefixes) prefixes.push_back(static_cast<unsigned>(p));
    scores += fit.prefixes.size() * plans_[i].outputs * datasets[plans_[i].dataset].test_rows;
  }
  start_ = DeviceArray<double>(starts);
  prefixes_ = DeviceArray<unsigned>(prefixes);
  scores_ = DeviceArray<float>(scores);
  losses_ = DeviceArray<double>(selected_.size());
  for (std::size_t i = 0; i < selected_.size(); ++i) {
    plans_[i].start = start_.data() + start_at[i];
    plans_[i].prefixes = prefixes_.data() + prefix_at[i];
    plans_[i].scores = scores_.data() + score_at[i];
    plans_[i].train_loss = losses_.data() + i;
  }
}

/// Launches as many blocks as can be resident at once; each takes fits until none is left.
void FitLaunch::run(std::span<const DeviceRows> datasets, const Kernel& kernel, const GpuProperties& gpu) {
  Layout layout = lay_out_fits(shape_, kernel, gpu);
  if (layout.shared_bytes > gpu.shared_per_block)
    throw core::Error(fmt::format(
        "steps of {} features and {} outputs need {} bytes of shared memory, but the GPU has {}; fit on the CPU",
        shape_.width, shape_.outputs, layout.shared_bytes, gpu.shared_per_block));
  const std::size_t bytes = layout.fit_bytes + layout.block_bytes;
  std::size_t blocks = std::min(selected_.size(), gpu.multiprocessors * prepare_kernel(kernel, layout));
  blocks = std::min(blocks, std::size_t(0.9 * double(free_memory())) / std::max<std::size_t>(bytes, 1));
  if (blocks == 0)
    throw core::Error(fmt::format("a fit of {} rows needs {} bytes, more than the GPU's free memory; fit on the CPU",
                                  shape_.train_rows, bytes));

  std::vector<unsigned> order(selected_.size());
  for (unsigned i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater<>{}, [&](unsigned i) { return estimate_cost(plans_[i]); });
  const DeviceArray<FitPlan> device_plans{std::span<const FitPlan>(plans_)};
  const DeviceArray<DeviceRows> device_datasets(datasets);
  const DeviceArray<unsigned> queue{std::span<const unsigned>(order)};
  const unsigned zero = 0;
  const DeviceArray<unsigned> next{std::span<const unsigned>(&zero, 1)};
  const DeviceArray<char> memory(blocks * bytes);
  const FitPlan* plans_at = device_plans.data();
  const unsigned* queue_at = queue.data();
  unsigned count = static_cast<unsigned>(order.size());
  const DeviceRows* datasets_at = device_datasets.data();
  char* memory_at = memory.data();
  unsigned* next_at = next.data();
  void* arguments[] = {&plans_at, &queue_at, &count, &datasets_at, &layout, &memory_at, &next_at};
  const EventTimer timer;
  check(cudaLaunchKernel(kernel.function, dim3(static_cast<unsigned>(blocks)), dim3(kernel.threads), arguments,
                         layout.shared_bytes, nullptr),
        "launch the fits");
  seconds_ = timer.seconds("run the fits");
}

}  // namespace accrete::cuda
