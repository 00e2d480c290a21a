#include "accrete/backend/cuda/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "accrete/backend/cuda/growing.hpp"
#include "accrete/backend/cuda/kernels.hpp"
#include "accrete/backend/cuda/launch.hpp"
#include "accrete/backend/cuda/resident.hpp"
#include "accrete/core/error.hpp"

namespace accrete::cuda {
namespace {

using backend::FitScores;
using backend::SharedRows;
using backend::WholeFit;

constexpr std::size_t most_fits_at_once = 16'384;  // so that there is news, and Ctrl-C is heard

std::size_t free_memory() {
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all), "say how much memory it has");
  return free;
}

Properties properties_of(const cudaDeviceProp& found) {
  return {static_cast<std::size_t>(found.multiProcessorCount), found.sharedMemPerBlockOptin,
          found.sharedMemPerMultiprocessor, static_cast<std::size_t>(found.l2CacheSize)};
}

/// kernel(loss is softmax, units, outputs): one whose units and outputs are fixed, where there is such a one.
template <class Choose>
Kernel fixed_kernel(const boosting::Config& config, std::size_t outputs, Choose kernel) {
  if (config.units_per_step > most_units || outputs > most_outputs) return {};
  return kernel(config.loss == "softmax", static_cast<unsigned>(config.units_per_step), static_cast<unsigned>(outputs));
}

/// For a fit among many. By its shape alone: a fit has the same bits whichever others are done beside it.
Kernel kernel_among_many(const WholeFit& fit, const DeviceRows& rows, const Properties& device) {
  const std::size_t outputs = fit.start.size();
  const FitPlan plan = plan_of(fit.config, outputs, rows);
  const backend::BlockShape step{plan.width, plan.units, outputs};
  const bool few =
      outputs <= few_outputs && plan.drawn <= most_rows_of_a_warp && step.size() <= most_parameters_of_a_warp;
  const Kernel fixed = fixed_kernel(fit.config, outputs, few ? kernel_for_few<Few> : kernel_for<Many>);
  if (!fixed.function) return general_kernel<Many>();
  Extent extent;
  extent.include(plan, rows);
  const bool has_room = lay_out_many(extent, fixed, device).shared_bytes <= device.shared_per_block;
  return has_room ? fixed : general_kernel<Many>();
}

class Gpu : public backend::ManyFits {
 public:
  Gpu() {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
      throw core::Error("no NVIDIA GPU with a working driver is here; --device auto takes the CPU then");
    check(cudaSetDevice(0), "start");
    check(cudaGetDeviceProperties(&found_, 0), "describe itself");
  }

  std::string name() const override { return "cuda"; }

  std::string describe() const override {
    return fmt::format("{}, {} multiprocessors, {:.1f} GiB free", found_.name, found_.multiProcessorCount,
                       double(free_memory()) / 1073741824.0);
  }

  std::string reason_against(const boosting::Config& config, std::size_t) const override {
    return config.solver == "lbfgs" ? "" : fmt::format("--solver {} runs on the CPU only", config.solver);
  }

  bool fit(std::span<const SharedRows> rows, std::span<const WholeFit> fits, const backend::FitsWatch& watch) override {
    std::vector<Resident> resident;
    resident.reserve(rows.size());
    std::vector<DeviceRows> addresses;
    for (const SharedRows& shared : rows)
      addresses.push_back(resident.emplace_back(shared.train, shared.test, true).rows());
    const Properties device = properties_of(found_);
    std::map<const void*, std::pair<Kernel, std::vector<std::size_t>>> groups;  // one launch has one kernel
    for (std::size_t f = 0; f < fits.size(); ++f) {
      const Kernel kernel = kernel_among_many(fits[f], addresses[fits[f].rows], device);
      auto& group = groups[kernel.function];
      group.first = kernel;
      group.second.push_back(f);
    }
    for (const auto& [function, kernel_and_group] : groups) {
      const auto& [kernel, group] = kernel_and_group;
      for (std::size_t from = 0; from < group.size(); from += most_fits_at_once) {
        if (watch.stop && watch.stop()) return false;
        const auto part = std::span(group).subspan(from, std::min(most_fits_at_once, group.size() - from));
        const Launch launch(fits, part, addresses, kernel, device);
        if (watch.launched) watch.launched(launch.seconds());
        launch.collect(addresses, [&](std::size_t fit, const FitScores& scores) {
          if (watch.done) watch.done(fit, scores);
        });
      }
    }
    return true;
  }

  std::unique_ptr<backend::GrowingFit> begin(const data::Dataset& rows, const boosting::Config& config,
                                             std::span<const double> start) override {
    const OneKernel kernel{fixed_kernel(config, start.size(), kernel_with_tiles<One>), general_kernel<One>()};
    return begin_fit(rows, config, start, kernel, properties_of(found_));
  }

 private:
  cudaDeviceProp found_{};
};

}  // namespace

std::unique_ptr<backend::ManyFits> open() {
  return std::make_unique<Gpu>();
}

double copy_bandwidth() {
  constexpr std::size_t size = std::size_t(1) << 30;
  constexpr int times = 10;
  const DeviceArray<char> from(size), to(size);
  const auto copy = [&] { check(cudaMemcpyAsync(to.data(), from.data(), size, cudaMemcpyDeviceToDevice), "copy"); };
  copy();
  const Stopwatch watch;
  for (int i = 0; i < times; ++i) copy();
  return 2.0 * times * double(size) / watch.seconds("copy");
}

}  // namespace accrete::cuda
