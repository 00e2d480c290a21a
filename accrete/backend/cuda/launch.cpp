#include "accrete/backend/cuda/launch.hpp"

#include <algorithm>

#include "accrete/backend/cuda/resident.hpp"
#include "accrete/core/error.hpp"

namespace accrete::cuda {
namespace {

using backend::FitScores;
using backend::WholeFit;

/// What a fit costs beside others, roughly: the longest are begun first.
double cost(const FitPlan& plan) {
  return double(plan.steps) * plan.iterations * plan.drawn * (plan.width + 8.0) * (plan.units + 1.0);
}

std::size_t score_count(const FitPlan& plan, const DeviceRows& rows) {
  return std::size_t(plan.prefix_count) * plan.outputs * rows.test;
}

}  // namespace

Layout lay_out_many(const Extent& extent, const Kernel& kernel, const Properties& device) {
  // So much of a multiprocessor's memory leaves room for as many warps as its registers do, and for the cache.
  const unsigned warps = kernel.threads / 32;
  const std::size_t share = device.shared_per_processor * warps;
  const std::size_t for_solver = warps == 1 ? device.shared_per_block : share / 18;  // the lone warp counts on it
  return lay_out(extent, solver_room<WarpVectorsLayout>(extent.parameters()),
                 {for_solver, share / 36, warps, kernel.general});
}

Launch::Launch(std::span<const WholeFit> fits, std::span<const std::size_t> which, std::span<const DeviceRows> rows,
               const Kernel& kernel, const Properties& device)
    : fits_(fits), which_(which) {
  std::size_t starts = 0, prefixes = 0, scores = 0;
  for (const std::size_t f : which) {
    const WholeFit& fit = fits[f];
    FitPlan& plan = plans_.emplace_back(plan_of(fit.config, fit.start.size(), rows[fit.rows]));
    plan.rows = static_cast<unsigned>(fit.rows);
    plan.prefix_count = static_cast<unsigned>(fit.prefixes.size());
    extent_.include(plan, rows[fit.rows]);
    starts += fit.start.size();
    prefixes += fit.prefixes.size();
    scores += score_count(plan, rows[fit.rows]);
  }
  start_ = DeviceArray<double>(starts);
  prefix_ = DeviceArray<unsigned>(prefixes);
  scores_ = DeviceArray<float>(scores);
  losses_ = DeviceArray<double>(which.size());
  set_addresses(rows);
  device_plans_ = DeviceArray<FitPlan>(plans_);
  device_rows_ = DeviceArray<DeviceRows>(rows);
  run(kernel, device);
}

void Launch::collect(std::span<const DeviceRows> rows,
                     const std::function<void(std::size_t, const FitScores&)>& done) const {
  std::vector<float> all(scores_.size());
  std::vector<double> losses(which_.size());
  scores_.read(all);
  losses_.read(losses);
  const float* at = all.data();
  for (std::size_t i = 0; i < which_.size(); ++i) {
    const std::size_t test = rows[plans_[i].rows].test, outputs = plans_[i].outputs;
    FitScores result{losses[i], {}};
    for (unsigned p = 0; p < plans_[i].prefix_count; ++p, at += test * outputs) {
      auto& matrix = result.prefixes.emplace_back(test, outputs);
      for (std::size_t k = 0; k < outputs; ++k)
        for (std::size_t r = 0; r < test; ++r) matrix(r, k) = at[k * test + r];
    }
    done(which_[i], result);
  }
}

void Launch::set_addresses(std::span<const DeviceRows> rows) {
  std::vector<double> starts;
  std::vector<unsigned> prefixes;
  std::size_t scores = 0;
  for (std::size_t i = 0; i < which_.size(); ++i) {
    const WholeFit& fit = fits_[which_[i]];
    plans_[i].start = start_.data() + starts.size();
    plans_[i].prefixes = prefix_.data() + prefixes.size();
    plans_[i].scores = scores_.data() + scores;
    plans_[i].train_loss = losses_.data() + i;
    starts.insert(starts.end(), fit.start.begin(), fit.start.end());
    for (const std::size_t p : fit.prefixes) prefixes.push_back(static_cast<unsigned>(p));
    scores += score_count(plans_[i], rows[fit.rows]);
  }
  start_.write(starts);
  prefix_.write(prefixes);
}

/// As many blocks as the device holds at once; each takes fits until none is left.
void Launch::run(const Kernel& kernel, const Properties& device) {
  Layout layout = lay_out_many(extent_, kernel, device);
  if (layout.shared_bytes > device.shared_per_block)
    throw core::Error("steps of so many features and outputs together are too large for the GPU's shared memory");
  check(cudaFuncSetAttribute(kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(layout.shared_bytes)),
        "set up the kernel");
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel.function, static_cast<int>(kernel.threads),
                                                      layout.shared_bytes),
        "plan the kernel");
  const std::size_t each = layout.global_bytes + layout.own_bytes;
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all), "say how much memory it has");
  std::size_t blocks = std::min<std::size_t>(which_.size(), device.processors * static_cast<std::size_t>(resident));
  blocks = std::min(blocks, std::size_t(0.9 * double(free)) / std::max<std::size_t>(each, 1));
  if (blocks == 0) throw core::Error("a fit of so many rows is too large for the GPU's memory");

  std::vector<unsigned> queue(which_.size());
  for (unsigned i = 0; i < queue.size(); ++i) queue[i] = i;
  std::ranges::stable_sort(queue, std::greater<>{}, [&](unsigned i) { return cost(plans_[i]); });
  const DeviceArray<unsigned> order{std::span<const unsigned>(queue)};
  const unsigned zero = 0;
  const DeviceArray<unsigned> next{std::span<const unsigned>(&zero, 1)};
  const DeviceArray<char> memory(blocks * each);
  const FitPlan* plans = device_plans_.data();
  const unsigned* order_at = order.data();
  unsigned count = static_cast<unsigned>(queue.size());
  const DeviceRows* rows = device_rows_.data();
  char* memory_at = memory.data();
  unsigned* next_at = next.data();
  void* arguments[] = {&plans, &order_at, &count, &rows, &layout, &memory_at, &next_at};
  const Stopwatch watch;
  check(cudaLaunchKernel(kernel.function, dim3(static_cast<unsigned>(blocks)), dim3(kernel.threads), arguments,
                         layout.shared_bytes, nullptr),
        "start the fits");
  seconds_ = watch.seconds("do the fits");
}

}  // namespace accrete::cuda
