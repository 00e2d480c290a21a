#include "accrete/backend/cuda/growing.hpp"

#include <algorithm>
#include <vector>

#include "accrete/backend/cuda/resident.hpp"
#include "accrete/core/error.hpp"

namespace accrete::cuda {
namespace {

constexpr std::size_t rows_of_a_block = 128;  // with fewer, meeting takes longer than working

/// Numbers that a block hands to the others at once: a gradient and its value, or the normal equations.
std::size_t most_parts(const Extent& extent, const Layout& layout) {
  const std::size_t equations =
      (layout.output_layer - layout.gram) / sizeof(double) + (extent.units + 1) * extent.outputs;
  return std::max(extent.parameters() + 1, equations);
}

class Growing : public backend::GrowingFit {
 public:
  Growing(const data::Dataset& rows, const boosting::Config& config, std::span<const double> start,
          const OneKernel& kernel, const Properties& device)
      : rows_(rows, {}, false), plan_(plan_of(config, start.size(), rows_.rows())) {
    extent_.include(plan_, rows_.rows());
    plan_memory(kernel, device);
    start_ = DeviceArray<double>(start);
    loss_ = DeviceArray<double>(1);
    plan_.start = start_.data();
    plan_.train_loss = loss_.data();
    const std::size_t n = extent_.parameters();
    parameters_ = DeviceArray<double>(draw_ahead * n);
    scales_ = DeviceArray<double>(draw_ahead * extent_.outputs);
    features_ = DeviceArray<unsigned>(draw_ahead * extent_.width);
    losses_ = DeviceArray<double>(draw_ahead);
    const unsigned none = 0;
    evaluations_ = DeviceArray<unsigned>(std::span(&none, 1));
    plan_.grown = {parameters_.data(), scales_.data(), features_.data(), losses_.data(), evaluations_.data()};
    plan_.first = plan_.steps = 0;
    launch();
  }

  double train_loss() const override {
    double loss = 0.0;
    loss_.read({&loss, 1});
    return loss;
  }

  void go_on_from(std::size_t steps, core::MatrixView<const double> scores) override {
    std::vector<float> by_output;
    for (std::size_t k = 0; k < scores.cols; ++k)
      for (std::size_t r = 0; r < scores.rows; ++r) by_output.push_back(static_cast<float>(scores(r, k)));
    check(cudaMemcpy(memory_.data() + layout_.scores, by_output.data(), by_output.size() * sizeof(float),
                     cudaMemcpyHostToDevice),
          "take scores");
    plan_.first = plan_.steps = static_cast<unsigned>(steps);
    launch();
  }

  backend::Effort effort() const override {
    unsigned evaluations = 0;
    evaluations_.read({&evaluations, 1});
    return {evaluations, seconds_};
  }

  std::vector<backend::GrownStep> grow(std::size_t steps) override {
    std::vector<backend::GrownStep> grown;
    while (grown.size() < steps) {
      const std::size_t some = std::min<std::size_t>(draw_ahead, steps - grown.size());
      plan_.first = plan_.steps;
      plan_.steps += static_cast<unsigned>(some);
      launch();
      collect(some, grown);
    }
    return grown;
  }

 private:
  void plan_memory(const OneKernel& kernel, const Properties& device) {
    const std::size_t shared = device.shared_per_block - 2048;  // plan and layout lie there too
    const SolverRoom solver = solver_room<WideVectorsLayout>(extent_.parameters());
    kernel_ = kernel.fixed;
    layout_ = lay_out(extent_, solver, {shared, 0, kernel_.threads / 32, false, shared});
    if (!kernel_.function || layout_.shared_bytes > shared) {
      kernel_ = kernel.general;
      layout_ = lay_out(extent_, solver, {shared, 0, kernel_.threads / 32, true});
    }
    layout_.cached_tiles = tiles_to_cache(extent_, device.cache);
    check(cudaFuncSetAttribute(kernel_.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(layout_.shared_bytes)),
          "set up the kernel");
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel_.function, static_cast<int>(kernel_.threads),
                                                        layout_.shared_bytes),
          "plan the kernel");
    if (resident == 0) throw core::Error("a step of so many features is too large for the GPU's registers");
    const std::size_t wanted = (plan_.drawn + rows_of_a_block - 1) / rows_of_a_block;
    blocks_ = std::clamp<std::size_t>(wanted, 1, device.processors);
    const std::size_t most = most_parts(extent_, layout_);
    memory_ = DeviceArray<char>(layout_.global_bytes + blocks_ * layout_.own_bytes);
    const std::size_t groups = (blocks_ + blocks_of_a_group - 1) / blocks_of_a_group;
    parts_ = DeviceArray<double>(2 * (blocks_ + groups) * most);
    arrivals_ = DeviceArray<unsigned>(1 + groups);
    addresses_ = {memory_.data(), memory_.data() + layout_.global_bytes, parts_.data(), arrivals_.data(),
                  static_cast<unsigned>(most)};
  }

  void launch() {
    DeviceRows rows = rows_.rows();
    void* arguments[] = {&plan_, &rows, &layout_, &addresses_};
    const Stopwatch watch;
    check(cudaMemsetAsync(arrivals_.data(), 0, arrivals_.size() * sizeof(unsigned)), "start the fit");
    check(cudaLaunchCooperativeKernel(kernel_.function, dim3(static_cast<unsigned>(blocks_)), dim3(kernel_.threads),
                                      arguments, layout_.shared_bytes, nullptr),
          "start the fit");
    seconds_ += watch.seconds("do the fit");
  }

  /// The last so many steps, as boosting::make_block makes them.
  void collect(std::size_t steps, std::vector<backend::GrownStep>& grown) const {
    const backend::BlockShape shape{extent_.width, extent_.units, extent_.outputs};
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
      network::Block block;
      block.units = shape.units;
      block.outputs = shape.outputs;
      block.features.assign(feature, feature + shape.features);
      block.hidden_weights.assign(p, p + shape.hidden_bias_at());
      block.hidden_bias.assign(p + shape.hidden_bias_at(), p + shape.output_weights_at());
      for (std::size_t i = 0; i < shape.units * shape.outputs; ++i)
        block.output_weights.push_back(static_cast<float>(scale[i % shape.outputs] * p[shape.output_weights_at() + i]));
      for (std::size_t k = 0; k < shape.outputs; ++k)
        block.output_bias.push_back(scale[k] * p[shape.output_bias_at() + k]);
      grown.push_back({std::move(block), losses[s]});
    }
  }

  Resident rows_;
  Kernel kernel_;
  FitPlan plan_;
  Extent extent_;
  Layout layout_;
  std::size_t blocks_ = 0;
  double seconds_ = 0.0;
  DeviceArray<char> memory_;
  DeviceArray<double> parts_, start_, loss_, parameters_, scales_, losses_;
  DeviceArray<unsigned> features_, evaluations_, arrivals_;
  OneMemory addresses_{};
};

}  // namespace

std::unique_ptr<backend::GrowingFit> begin_fit(const data::Dataset& rows, const boosting::Config& config,
                                               std::span<const double> start, const OneKernel& kernel,
                                               const Properties& device) {
  return std::make_unique<Growing>(rows, config, start, kernel, device);
}

}  // namespace accrete::cuda
