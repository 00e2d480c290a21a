#include "accrete/backend/cuda/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "accrete/backend/cuda/device_dataset.hpp"
#include "accrete/backend/cuda/device_evaluator.hpp"
#include "accrete/backend/cuda/grid_fit.hpp"
#include "accrete/backend/cuda/launch.hpp"
#include "accrete/core/error.hpp"

namespace accrete::cuda {
namespace {

using backend::FitRequest;
using backend::FitScores;
using backend::SharedData;

constexpr std::size_t max_fits_per_launch = 16'384;  // results are reported and `stop` is polled between launches

class Gpu : public backend::FitDevice {
 public:
  Gpu(const EnabledPasses& enabled, std::size_t index) : enabled_(enabled) {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
      throw core::Error("no NVIDIA GPU with a working driver found");
    const int device = static_cast<int>(index % static_cast<std::size_t>(count));
    check(cudaSetDevice(device), "start");
    check(cudaGetDeviceProperties(&found_, device), "report its properties");
    gpu_ = {static_cast<std::size_t>(found_.multiProcessorCount), found_.sharedMemPerBlockOptin,
            found_.sharedMemPerMultiprocessor};
  }

  std::string name() const override { return "cuda"; }

  std::string describe() const override {
    return fmt::format("{}, {} multiprocessors, {:.1f} GiB free", found_.name, found_.multiProcessorCount,
                       double(free_memory()) / 1073741824.0);
  }

  std::string unsupported_reason(const config::ResolvedConfig& config, std::size_t) const override {
    return backend::cpu_only_reason(config);
  }

  bool fit(std::span<const SharedData> rows, std::span<const FitRequest> fits,
           const backend::FitCallbacks& callbacks) override {
    std::vector<DeviceDataset> resident;
    resident.reserve(rows.size());
    std::vector<DeviceRows> datasets;
    for (const SharedData& shared : rows)
      datasets.push_back(resident.emplace_back(shared.train, shared.test, true).rows());
    std::vector<FitPlan> plans;
    std::map<const void*, std::pair<Kernel, std::vector<std::size_t>>> groups;  // a launch has one kernel
    for (std::size_t f = 0; f < fits.size(); ++f) {
      FitPlan& plan = plans.emplace_back(make_plan(fits[f].config, fits[f].start.size(), resident[fits[f].rows]));
      plan.dataset = static_cast<unsigned>(fits[f].rows);
      plan.single_pass = plan.single_pass && enabled_.single_pass;
      const Kernel kernel = choose_kernel(fits[f].config, plan, datasets[plan.dataset]);
      auto& group = groups[kernel.function];
      group.first = kernel;
      group.second.push_back(f);
    }
    for (const auto& [function, kernel_and_group] : groups) {
      const auto& [kernel, group] = kernel_and_group;
      for (std::size_t first = 0; first < group.size(); first += max_fits_per_launch) {
        if (callbacks.stop && callbacks.stop()) return false;
        const auto part = std::span(group).subspan(first, std::min(max_fits_per_launch, group.size() - first));
        const FitLaunch launch(fits, part, plans, datasets, kernel, gpu_);
        if (callbacks.launched) callbacks.launched(launch.seconds());
        launch.collect(datasets, [&](std::size_t fit, const FitScores& scores) {
          if (callbacks.done) callbacks.done(fit, scores);
        });
      }
    }
    return true;
  }

  std::unique_ptr<backend::TrainingRows> make_rows(const backend::TrainingProblem& problem) override {
    return backend::make_cpu_rows(problem, make_device_evaluator());
  }

  bool runs_steps(const data::Features& features, const config::ResolvedConfig& config,
                  std::size_t outputs) const override {
    if (features.has_wide_columns()) return false;
    const Kernel kernel = grid_kernel(config, outputs);
    return kernel.function && fits_grid(config, features.cols(), outputs, kernel, gpu_);
  }

  std::unique_ptr<backend::DeviceFit> begin(const data::Dataset& rows, const config::ResolvedConfig& config,
                                            std::span<const double> start) override {
    return begin_grid_fit(rows, config, start, {grid_kernel(config, start.size()), enabled_.tiles}, gpu_);
  }

 private:
  /// find(is softmax, units, outputs): returns the kernel with these fixed at compile time, if it exists.
  template <class Find>
  Kernel fixed_kernel(const config::ResolvedConfig& config, std::size_t outputs, Find find) const {
    if (!enabled_.fixed_kernels || config.units_per_step > max_fixed_units || outputs > max_fixed_outputs) return {};
    return find(config.loss == "softmax", static_cast<unsigned>(config.units_per_step), static_cast<unsigned>(outputs));
  }

  Kernel grid_kernel(const config::ResolvedConfig& config, std::size_t outputs) const {
    return fixed_kernel(config, outputs,
                        outputs <= max_tile_outputs ? find_fixed_kernel<GridKernel, max_tile_outputs>
                                                    : find_fixed_kernel<GridKernel, max_fixed_outputs>);
  }

  /// The kernel of one of many fits. Depends on this fit alone, so that its result is bit-identical whatever other fits
  /// run.
  Kernel choose_kernel(const config::ResolvedConfig& config, const FitPlan& plan, const DeviceRows& rows) const {
    const backend::BlockShape step{plan.width, plan.units, plan.outputs};
    const bool small = enabled_.warp_kernels && plan.outputs <= max_register_outputs &&
                       plan.drawn_rows <= max_warp_rows && step.size() <= max_warp_parameters;
    const Kernel fixed = fixed_kernel(config, plan.outputs,
                                      small ? find_fixed_kernel<WarpKernel, max_register_outputs>
                                            : find_fixed_kernel<BlockKernel, max_fixed_outputs>);
    if (!fixed.function) return general_kernel<BlockKernel>();
    LaunchShape shape;
    shape.include(plan, rows);
    const bool fits = lay_out_fits(shape, fixed, gpu_).shared_bytes <= gpu_.shared_per_block;
    return fits ? fixed : general_kernel<BlockKernel>();
  }

  EnabledPasses enabled_;
  cudaDeviceProp found_{};
  GpuProperties gpu_{};
};

}  // namespace

std::unique_ptr<backend::FitDevice> open(const EnabledPasses& enabled, std::size_t index) {
  return std::make_unique<Gpu>(enabled, index);
}

double copy_bandwidth() {
  constexpr std::size_t size = std::size_t(1) << 30;
  constexpr int repeats = 10;
  const DeviceArray<char> from(size), to(size);
  const auto copy = [&] { check(cudaMemcpyAsync(to.data(), from.data(), size, cudaMemcpyDeviceToDevice), "copy"); };
  copy();
  const EventTimer timer;
  for (int i = 0; i < repeats; ++i) copy();
  return 2.0 * repeats * double(size) / timer.seconds("copy");
}

}  // namespace accrete::cuda
