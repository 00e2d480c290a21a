#include "accrete/backend/cuda/grid_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "accrete/backend/cuda/device_dataset.hpp"
#include "accrete/config/draw_size.hpp"
#include "accrete/core/error.hpp"

namespace accrete::cuda {
namespace {

constexpr std::size_t min_block_rows = 128;  // with fewer rows, synchronising takes longer than computing

/// Number of values in an all_reduce: a gradient with its value, or the normal equations.
std::size_t max_reduced_values(const LaunchShape& shape, const Layout& layout) {
  const std::size_t equations =
      (layout.output_layer - layout.gram) / sizeof(double) + (shape.units + 1) * shape.outputs;
  return std::max(shape.parameters() + 1, equations);
}

std::size_t max_shared_bytes(const GpuProperties& gpu) {
  return gpu.shared_per_block - 2048;  // the rest is reserved for kernels with static shared memory
}

Layout lay_out_grid(const LaunchShape& shape, const Kernel& kernel, const GpuProperties& gpu, bool tiles) {
  const std::size_t shared = max_shared_bytes(gpu);
  return lay_out(shape, solver_size<WideVectors>(shape.parameters()),
                 {.shared_bytes = shared, .warps = kernel.threads / warp_lanes, .tile_bytes = tiles ? shared : 0});
}

class GridFit : public backend::DeviceFit {
 public:
  GridFit(const data::Dataset& rows, const config::ResolvedConfig& config, std::span<const double> start,
          const GridKernelChoice& choice, const GpuProperties& gpu)
      : dataset_(rows, {}, false), plan_(make_plan(config, start.size(), dataset_)) {
    shape_.include(plan_, dataset_.rows());
    allocate(choice, gpu);
    start_ = DeviceArray<double>(start);
    loss_ = DeviceArray<double>(1);
    plan_.start = start_.data();
    plan_.train_loss = loss_.data();
    parameters_ = DeviceArray<double>(steps_per_draw * shape_.parameters());
    scales_ = DeviceArray<double>(steps_per_draw * shape_.outputs);
    features_ = DeviceArray<unsigned>(steps_per_draw * shape_.width);
    losses_ = DeviceArray<double>(steps_per_draw);
    const unsigned zero = 0;
    evaluations_ = DeviceArray<unsigned>(std::span(&zero, 1));
    plan_.results = {.parameters = parameters_.data(),
                     .scales = scales_.data(),
                     .features = features_.data(),
                     .losses = losses_.data(),
                     .evaluations = evaluations_.data()};
    plan_.first_step = plan_.end_step = 0;
    launch();
  }

  double train_loss() const override {
    double loss = 0.0;
    loss_.read({&loss, 1});
    return loss;
  }

  void resume_from(std::size_t steps, core::MatrixView<const double> scores) override {
    std::vector<float> by_output;
    for (std::size_t k = 0; k < scores.cols; ++k)
      for (std::size_t r = 0; r < scores.rows; ++r) by_output.push_back(static_cast<float>(scores(r, k)));
    check(cudaMemcpy(memory_.data() + layout_.scores, by_output.data(), by_output.size() * sizeof(float),
                     cudaMemcpyHostToDevice),
          "copy scores to it");
    plan_.first_step = plan_.end_step = static_cast<unsigned>(steps);
    launch();
  }

  backend::FitCost cost() const override {
    unsigned evaluations = 0;
    evaluations_.read({&evaluations, 1});
    return {evaluations, seconds_};
  }

  std::vector<backend::DeviceStep> grow(std::size_t steps) override {
    std::vector<backend::DeviceStep> grown;
    while (grown.size() < steps) {
      const std::size_t count = std::min<std::size_t>(steps_per_draw, steps - grown.size());
      plan_.first_step = plan_.end_step;
      plan_.end_step += static_cast<unsigned>(count);
      launch();
      collect(count, grown);
    }
    return grown;
  }

 private:
  /// Chooses layout and number of blocks.
  void allocate(const GridKernelChoice& choice, const GpuProperties& gpu) {
    // Tiles do not speed up steps on drawn rows or features, or other objectives.
    const DeviceRows& rows = dataset_.rows();
    const bool tiles = choice.tiles && plan_.objective == Objective::direct && plan_.drawn_rows == rows.train_rows &&
                       plan_.width == rows.feature_count;
    kernel_ = choice.kernel;
    layout_ = lay_out_grid(shape_, kernel_, gpu, tiles);
    if (prepare_kernel(kernel_, layout_) == 0)
      throw core::Error(
          fmt::format("a step of {} features and {} outputs needs more shared memory than the GPU has; fit on the CPU",
                      shape_.width, shape_.outputs));
    const std::size_t wanted = (plan_.drawn_rows + min_block_rows - 1) / min_block_rows;
    blocks_ = std::clamp<std::size_t>(wanted, 1, gpu.multiprocessors);
    const std::size_t values = max_reduced_values(shape_, layout_);
    const std::size_t groups = (blocks_ + reduce_group - 1) / reduce_group;
    memory_ = DeviceArray<char>(layout_.fit_bytes + blocks_ * layout_.block_bytes);
    partials_ = DeviceArray<double>(2 * (blocks_ + groups) * values);
    arrivals_ = DeviceArray<unsigned>(1 + groups);
    addresses_ = {.fit = memory_.data(),
                  .blocks = memory_.data() + layout_.fit_bytes,
                  .partials = partials_.data(),
                  .arrivals = arrivals_.data(),
                  .max_values = static_cast<unsigned>(values)};
  }

  void launch() {
    DeviceRows rows = dataset_.rows();
    void* arguments[] = {&plan_, &rows, &layout_, &addresses_};
    const EventTimer timer;
    check(cudaMemsetAsync(arrivals_.data(), 0, arrivals_.size() * sizeof(unsigned)), "launch the fit");
    check(cudaLaunchCooperativeKernel(kernel_.function, dim3(static_cast<unsigned>(blocks_)), dim3(kernel_.threads),
                                      arguments, layout_.shared_bytes, nullptr),
          "launch the fit");
    seconds_ += timer.seconds("run the fit");
  }

  /// Appends the last `steps` steps.
  void collect(std::size_t steps, std::vector<backend::DeviceStep>& grown) const {
    const backend::BlockShape shape{shape_.width, shape_.units, shape_.outputs};
    std::vector<double> parameters(steps * shape.size()), scales(steps * shape.outputs), losses(steps);
    std::vector<unsigned> features(steps * shape.features);
    parameters_.read(parameters);
    scales_.read(scales);
    losses_.read(losses);
    features_.read(features);
    for (std::size_t s = 0; s < steps; ++s) {
      const double* p = parameters.data() + s * shape.size();
      const double* scale = scales.data() + s * shape.outputs;
      const unsigned* feature = features.data() + s * shape.features;
      const auto used = static_cast<std::size_t>(  // the rest is padding
          std::ranges::lower_bound(feature, feature + shape.features, dataset_.rows().feature_count) - feature);
      std::vector<double> without_padding;
      for (std::size_t j = 0; j < shape.units; ++j)
        without_padding.insert(without_padding.end(), p + j * shape.features, p + j * shape.features + used);
      without_padding.insert(without_padding.end(), p + shape.hidden_bias_at(), p + shape.size());
      grown.push_back({backend::make_block({used, shape.units, shape.outputs}, {feature, feature + used},
                                           without_padding, {scale, shape.outputs}),
                       losses[s]});
    }
  }

  DeviceDataset dataset_;
  Kernel kernel_;
  FitPlan plan_;
  LaunchShape shape_;
  Layout layout_;
  std::size_t blocks_ = 0;
  double seconds_ = 0.0;
  DeviceArray<char> memory_;
  DeviceArray<double> partials_, start_, loss_, parameters_, scales_, losses_;
  DeviceArray<unsigned> features_, evaluations_, arrivals_;
  GridMemory addresses_{};
};

}  // namespace

bool fits_grid(const config::ResolvedConfig& config, std::size_t features, std::size_t outputs, const Kernel& kernel,
               const GpuProperties& gpu) {
  LaunchShape shape;
  shape.width = config::features_per_step(config, features);
  shape.units = config.units_per_step;
  shape.outputs = outputs;
  return lay_out_grid(shape, kernel, gpu, false).shared_bytes <= max_shared_bytes(gpu);
}

std::unique_ptr<backend::DeviceFit> begin_grid_fit(const data::Dataset& rows, const config::ResolvedConfig& config,
                                                   std::span<const double> start, const GridKernelChoice& choice,
                                                   const GpuProperties& gpu) {
  return std::make_unique<GridFit>(rows, config, start, choice, gpu);
}

}  // namespace accrete::cuda
