#include "accrete/backend/cuda/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "accrete/activation/list.hpp"
#include "accrete/backend/cuda/kernels.hpp"
#include "accrete/backend/cuda/layout.hpp"
#include "accrete/backend/cuda/memory.hpp"
#include "accrete/boosting/preset.hpp"
#include "accrete/boosting/step.hpp"
#include "accrete/core/error.hpp"
#include "accrete/solver/lbfgs.hpp"

namespace accrete::cuda {
namespace {

using backend::FitScores;
using backend::SharedRows;
using backend::WholeFit;

constexpr std::size_t most_fits_at_once = 16'384;  // so that there is news, and Ctrl-C is heard

struct Properties {
  std::size_t processors, shared_per_block, shared_per_processor, memory;
};

Properties properties_of(const cudaDeviceProp& found) {
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all), "say how much memory it has");
  return {static_cast<std::size_t>(found.multiProcessorCount), found.sharedMemPerBlockOptin,
          found.sharedMemPerMultiprocessor, free};
}

/// Feature by feature, training rows and then test rows.
std::vector<float> by_feature(const SharedRows& rows, std::size_t stride) {
  const std::size_t features = rows.train.features.cols();
  std::vector<float> x(features * stride, 0.0f);
  std::size_t first = 0;
  for (const data::Features* part : {&rows.train.features, &rows.test}) {
    const std::size_t tile_rows = part->tile_rows();
    std::vector<float> room(tile_rows);
    for (std::size_t t = 0; t < part->tiles() && part->rows() > 0; ++t)
      for (std::size_t f = 0; f < features; ++f) {
        const float* column = part->column(t, f, room.data());
        std::copy_n(column, std::min(tile_rows, part->rows() - t * tile_rows),
                    x.begin() + static_cast<std::ptrdiff_t>(f * stride + first + t * tile_rows));
      }
    first += part->rows();
  }
  return x;
}

/// Shared rows in device memory.
class Resident {
 public:
  explicit Resident(const SharedRows& rows) {
    const std::size_t train = rows.train.rows(), test = rows.test.rows();
    const std::size_t stride = (train + test + 31) / 32 * 32, targets = rows.train.targets.cols();
    x_ = DeviceArray<float>(by_feature(rows, stride));
    std::vector<float> y(targets * train), w(rows.train.weights.begin(), rows.train.weights.end());
    for (std::size_t r = 0; r < train; ++r)
      for (std::size_t t = 0; t < targets; ++t) y[t * train + r] = static_cast<float>(rows.train.targets(r, t));
    y_ = DeviceArray<float>(y);
    w_ = DeviceArray<float>(w);
    rows_ = {x_.data(),
             y_.data(),
             w_.data(),
             static_cast<unsigned>(train),
             static_cast<unsigned>(test),
             static_cast<unsigned>(stride),
             static_cast<unsigned>(rows.train.features.cols()),
             static_cast<unsigned>(targets),
             rows.train.row_weight};
  }
  const DeviceRows& rows() const { return rows_; }

 private:
  DeviceArray<float> x_, y_, w_;
  DeviceRows rows_;
};

Objective objective_of(const boosting::Config& config) {
  if (config.objective == "direct") return Objective::direct;
  return config.objective == "projected" ? Objective::projected : Objective::residual;
}

FitPlan plan_of(const WholeFit& fit, const DeviceRows& rows) {
  const boosting::Config& config = fit.config;
  FitPlan plan{};
  plan.rows = static_cast<unsigned>(fit.rows);
  plan.units = static_cast<unsigned>(config.units_per_step);
  plan.steps = static_cast<unsigned>(config.units / config.units_per_step);
  plan.outputs = static_cast<unsigned>(fit.start.size());
  plan.drawn = static_cast<unsigned>(boosting::rows_of_a_step(config, rows.train));
  plan.width = static_cast<unsigned>(boosting::features_of_a_step(config, rows.features));
  plan.objective = objective_of(config);
  plan.iterations = static_cast<unsigned>(config.max_iter);
  plan.joint_iterations = static_cast<unsigned>(std::min(config.joint_iter, config.max_iter));
  plan.rescale = config.rescale_residual;
  plan.rate = config.learning_rate;
  plan.alpha = config.alpha;
  plan.tolerance = config.tolerance;
  plan.floor = config.tolerance_floor;
  plan.gain = activation::Activation::named(config.activation).init_gain();
  plan.seed = config.seed;
  const loss::Loss loss = boosting::loss_of(config);
  plan.loss = static_cast<unsigned>(loss.index);
  plan.unit_step = loss.unit_step();
  plan.residual_scale = static_cast<float>(loss.residual_scale());
  plan.activation = static_cast<unsigned>(activation::Activation::named(config.activation).index);
  plan.settings = {config.huber_delta, config.quantile};
  plan.prefix_count = static_cast<unsigned>(fit.prefixes.size());
  return plan;
}

const void* kernel_of(const boosting::Config& config, std::size_t outputs) {
  const auto units = static_cast<unsigned>(config.units_per_step), k = static_cast<unsigned>(outputs);
  if (config.units_per_step > most_units || !loss::All::contains(config.loss)) return nullptr;
  return config.loss == "softmax" ? joint_kernel(units, k) : separable_kernel(units, k);
}

/// What a fit costs beside others, roughly: the longest are begun first.
double cost(const FitPlan& plan) {
  return double(plan.steps) * plan.iterations * plan.drawn * (plan.width + 8.0) * (plan.units + 1.0);
}

/// Fits of one kernel, on the device together.
class Launch {
 public:
  Launch(std::span<const WholeFit> fits, std::span<const std::size_t> which, std::span<const DeviceRows> rows,
         const Properties& device)
      : fits_(fits), which_(which) {
    std::size_t starts = 0, prefixes = 0, scores = 0;
    for (const std::size_t f : which) {
      plans_.push_back(plan_of(fits[f], rows[fits[f].rows]));
      extent_.include(plans_.back(), rows[fits[f].rows]);
      starts += fits[f].start.size();
      prefixes += fits[f].prefixes.size();
      scores += score_count(plans_.back(), rows[fits[f].rows]);
    }
    start_ = DeviceArray<double>(starts);
    prefix_ = DeviceArray<unsigned>(prefixes);
    scores_ = DeviceArray<float>(scores);
    losses_ = DeviceArray<double>(which.size());
    set_addresses(rows);
    device_plans_ = DeviceArray<FitPlan>(plans_);
    device_rows_ = DeviceArray<DeviceRows>(rows);
    run(device);
  }

  /// Results in the order of `which`.
  template <class Done>
  void collect(std::span<const DeviceRows> rows, Done done) const {
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

 private:
  static std::size_t score_count(const FitPlan& plan, const DeviceRows& rows) {
    return std::size_t(plan.prefix_count) * plan.outputs * rows.test;
  }

  void set_addresses(std::span<const DeviceRows> rows) {
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
  void run(const Properties& device) {
    const boosting::Config& config = fits_[which_.front()].config;
    const void* kernel = kernel_of(config, plans_.front().outputs);
    const std::size_t workspace =
        solver::Lbfgs<>::workspace_size((extent_.parameters() + 31) / 32 * 32, solver::Options{});
    // So much of a multiprocessor's memory leaves room for as many blocks as its registers do.
    Layout layout = lay_out(extent_, workspace, device.shared_per_processor / 12);
    if (layout.shared_bytes > device.shared_per_block)
      throw core::Error("a step of so many features is too large for the GPU's shared memory");
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(layout.shared_bytes)),
          "set up the kernel");
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, static_cast<int>(block_threads),
                                                        layout.shared_bytes),
          "plan the kernel");
    std::size_t free = 0, all = 0;
    check(cudaMemGetInfo(&free, &all), "say how much memory it has");
    std::size_t blocks = std::min<std::size_t>(which_.size(), device.processors * static_cast<std::size_t>(resident));
    blocks = std::min(blocks, std::size_t(0.9 * double(free)) / std::max<std::size_t>(layout.global_bytes, 1));
    if (blocks == 0) throw core::Error("a fit of so many rows is too large for the GPU's memory");

    std::vector<unsigned> queue(which_.size());
    for (unsigned i = 0; i < queue.size(); ++i) queue[i] = i;
    std::ranges::stable_sort(queue, std::greater<>{}, [&](unsigned i) { return cost(plans_[i]); });
    const DeviceArray<unsigned> order{std::span<const unsigned>(queue)};
    const unsigned zero = 0;
    const DeviceArray<unsigned> next{std::span<const unsigned>(&zero, 1)};
    const DeviceArray<char> memory(blocks * layout.global_bytes);
    const FitPlan* plans = device_plans_.data();
    const unsigned* order_at = order.data();
    unsigned count = static_cast<unsigned>(queue.size());
    const DeviceRows* rows = device_rows_.data();
    char* memory_at = memory.data();
    unsigned* next_at = next.data();
    void* arguments[] = {&plans, &order_at, &count, &rows, &layout, &memory_at, &next_at};
    check(cudaLaunchKernel(kernel, dim3(static_cast<unsigned>(blocks)), dim3(block_threads), arguments,
                           layout.shared_bytes, nullptr),
          "start the fits");
    check(cudaDeviceSynchronize(), "do the fits");
  }

  std::span<const WholeFit> fits_;
  std::span<const std::size_t> which_;
  std::vector<FitPlan> plans_;
  Extent extent_;
  DeviceArray<double> start_, losses_;
  DeviceArray<unsigned> prefix_;
  DeviceArray<float> scores_;
  DeviceArray<FitPlan> device_plans_;
  DeviceArray<DeviceRows> device_rows_;
};

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
                       double(properties_of(found_).memory) / 1073741824.0);
  }

  std::string reason_against(const boosting::Config& config, std::size_t outputs) const override {
    if (config.solver != "lbfgs") return fmt::format("--solver {} runs on the CPU only", config.solver);
    if (config.validation_fraction > 0.0) return "--validation-fraction runs on the CPU only";
    if (!kernel_of(config, outputs))
      return fmt::format("no kernel for {} units a step and {} outputs of loss {}", config.units_per_step, outputs,
                         config.loss);
    return "";
  }

  bool fit(std::span<const SharedRows> rows, std::span<const WholeFit> fits, const backend::FitsWatch& watch) override {
    std::vector<Resident> resident;
    resident.reserve(rows.size());
    std::vector<DeviceRows> addresses;
    for (const SharedRows& shared : rows) addresses.push_back(resident.emplace_back(shared).rows());
    const Properties device = properties_of(found_);
    // One launch has one kernel: fits of as many units a step.
    std::map<std::uint64_t, std::vector<std::size_t>> groups;
    for (std::size_t f = 0; f < fits.size(); ++f) groups[fits[f].config.units_per_step].push_back(f);
    for (const auto& [units, group] : groups)
      for (std::size_t from = 0; from < group.size(); from += most_fits_at_once) {
        if (watch.stop && watch.stop()) return false;
        const auto part = std::span(group).subspan(from, std::min(most_fits_at_once, group.size() - from));
        const Launch launch(fits, part, addresses, device);
        launch.collect(addresses, [&](std::size_t fit, const FitScores& scores) {
          if (watch.done) watch.done(fit, scores);
        });
      }
    return true;
  }

 private:
  cudaDeviceProp found_{};
};

}  // namespace

std::unique_ptr<backend::ManyFits> open() {
  return std::make_unique<Gpu>();
}

}  // namespace accrete::cuda
