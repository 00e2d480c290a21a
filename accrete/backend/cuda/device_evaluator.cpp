#include "accrete/backend/cuda/device_evaluator.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "accrete/backend/cpu_evaluator.hpp"
#include "accrete/backend/cuda/dense_layer.hpp"
#include "accrete/backend/cuda/device_view.hpp"
#include "accrete/backend/cuda/entry_rows.hpp"
#include "accrete/backend/cuda/evaluator_kernels.hpp"
#include "accrete/comm/values.hpp"

namespace accrete::cuda {
namespace {

using backend::BlockShape;
using backend::StepObjective;

class DeviceEvaluator final : public backend::BlockEvaluator {
 public:
  void set_view(const backend::ResidentRows& rows, const BlockShape& shape, const backend::StepView& view,
                const backend::TrainingProblem& problem) override {
    rows_ = &rows, shape_ = shape, view_ = view, problem_ = &problem;
    alpha_over_n_ = view.alpha / (static_cast<double>(rows.chunks.rows) * problem.dataset.row_weight);
    const std::vector<data::FeatureSource> sources = rows.x->sources(view.features);
    lookup_.build(sources, shape.units);
    on_device_ = is_supported(sources);
    if (!on_device_) return cpu_.set_view(rows, shape, view, problem);
    gpu_.set(rows, lookup_, shape, sources, problem);
    entry_rows_.sort(gpu_.state(), lookup_.tables().size / lookup_.tables().width);
    gpu_.set_targets(view.objective == StepObjective::loss);
    set_objective(view.objective);
  }

  void set_objective(StepObjective objective) override {
    if (!on_device_) return cpu_.set_objective(objective);
    const bool of_loss = objective == StepObjective::loss, was_loss = view_.objective == StepObjective::loss;
    view_.objective = objective;
    if (of_loss != was_loss) gpu_.set_targets(of_loss);
    projected_hidden_.clear();
    if (objective != StepObjective::projected) return;
    output_layer_.allocate(shape_.units, shape_.outputs);
    const Columns ones{.with_ones = true};
    sum_products({{.left = ones, .right = gpu_.targets(), .weighted = true, .at = 0}});
    output_layer_.set_target_sums(std::span<const double>(gpu_.sums(), shape_.outputs));
  }

  double evaluate(std::span<const double> parameters, std::span<double> gradient) override {
    if (!on_device_) return cpu_.evaluate(parameters, gradient);
    const bool projected = view_.objective == StepObjective::projected;
    if (projected)
      solve_output_layer(parameters);
    else
      gpu_.set_hidden(parameters), gpu_.set_output(parameters.subspan(shape_.hidden_size()));
    compute_deltas(gpu_.state());
    const Products by_bias{.left = gpu_.bias(), .right = gpu_.deltas(), .at = 1};
    const Products by_output{.left = gpu_.hidden(true), .right = gpu_.errors(), .at = by_bias.end()};
    const std::array<Products, 2> products{by_bias, by_output};
    const unsigned count = projected ? by_bias.end() : by_output.end();
    if (count > 1) add_products(gpu_.state(), std::span(products).first(projected ? 1 : 2));
    add_partials(gpu_.state(), count, gpu_.device_sums());
    entry_rows_.add_deltas(gpu_.state(), gpu_.device_sums() + count);
    add_dense_gradient(gpu_.state(), gpu_.device_sums() + count + lookup_.tables().size);
    read_sums(count + gpu_.weight_sums());
    write_gradient(by_bias.end(), count, gradient);
    const double value =
        gpu_.sums()[0] / rows_->total_weight + backend::add_penalty(shape_, alpha_over_n_, parameters, gradient);
    return projected ? value + 0.5 * alpha_over_n_ * output_layer_.squared_weights() : value;
  }

  void project(std::span<const double> hidden, std::span<double> output_layer) override {
    if (!on_device_) return cpu_.project(hidden, output_layer);
    if (!std::ranges::equal(hidden, projected_hidden_)) solve_output_layer(hidden);
    std::ranges::copy(output_layer_.solution(), output_layer.begin());
  }

  /// A Gauss-Newton matrix reads a sample of the rows, on the CPU.
  void curvature(std::span<double> matrix) override {
    if (on_device_) {
      cpu_.set_view(*rows_, shape_, view_, *problem_);
      std::vector<double> output_layer(shape_.size() - shape_.hidden_size());
      cpu_.project(projected_hidden_, output_layer);
    }
    cpu_.curvature(matrix);
  }

  const float* hidden_outputs(const network::Block& block, const backend::ResidentRows& rows) const override {
    return on_device_ ? nullptr : cpu_.hidden_outputs(block, rows);
  }
  std::size_t rows() const override { return rows_->chunks.rows; }

 private:
  bool is_supported(std::span<const data::FeatureSource> sources) const {
    const auto is_dense = [&](std::size_t f) { return !sources[f].is_computed(); };
    return std::ranges::all_of(lookup_.dense(), is_dense) &&
           std::ranges::none_of(sources, &data::FeatureSource::is_sparse) &&
           rows_->chunks.rows * lookup_.tables().count < std::numeric_limits<unsigned>::max();
  }

  void sum_products(std::initializer_list<Products> products) {
    add_products(gpu_.state(), products);
    const unsigned count = std::prev(products.end())->end();
    add_partials(gpu_.state(), count, gpu_.device_sums());
    read_sums(count);
  }

  /// The sums over the rows of all ranks, added in rank order.
  void read_sums(std::size_t count) {
    gpu_.read_sums(count);
    comm::Communicator& comm = problem_->comm;
    if (comm.size() == 1) return;
    const std::span<double> sums(gpu_.sums(), count);
    const auto all = comm::gather_parts<double>(comm, sums, std::vector<std::size_t>(comm.size(), count));
    std::ranges::fill(sums, 0.0);
    for (std::size_t rank = 0; rank < comm.size(); ++rank)
      for (std::size_t i = 0; i < count; ++i) sums[i] += all.of(rank)[i];
  }

  void solve_output_layer(std::span<const double> parameters) {
    const std::size_t units = shape_.units, outputs = shape_.outputs;
    projected_hidden_.assign(parameters.begin(), parameters.end());
    gpu_.set_hidden(parameters);
    const Products squares{.left = gpu_.hidden(false), .right = gpu_.hidden(true), .weighted = true, .at = 0};
    const Products with_targets{
        .left = gpu_.hidden(false), .right = gpu_.targets(), .weighted = true, .at = squares.end()};
    sum_products({squares, with_targets});
    gram_.clear();
    for (std::size_t j = 0; j < units; ++j) {
      gram_.insert(gram_.end(), gpu_.sums() + j * (units + 1), gpu_.sums() + (j + 1) * (units + 1));
      const double* right = gpu_.sums() + squares.end() + j * outputs;
      gram_.insert(gram_.end(), right, right + outputs);
    }
    output_layer_.solve(gram_, rows_->total_weight, alpha_over_n_);
    gpu_.set_output(output_layer_.solution());
  }

  /// The sums are the value and, if there are no tables, those of the bias; from `output` on those of the output layer;
  /// from `tables` on those of the table entries and of the dense weights.
  void write_gradient(std::size_t output, std::size_t tables, std::span<double> gradient) {
    const std::size_t features = shape_.features, units = shape_.units;
    const std::size_t dense = gpu_.state().dense, width = gpu_.state().width;
    const double *by_entry = gpu_.sums() + tables, *by_dense = by_entry + lookup_.tables().size;
    lookup_.weight_gradient(by_entry, gradient.data());
    for (std::size_t j = 0; j < units; ++j)
      for (std::size_t i = 0; i < dense; ++i) gradient[j * features + lookup_.dense()[i]] = by_dense[i * width + j];
    double* bias = gradient.data() + shape_.hidden_bias_at();
    if (lookup_.empty()) {
      std::copy_n(gpu_.sums() + 1, units, bias);
    } else {  // every row has one entry of the first table, whose sums together are those of all rows
      const std::size_t* starts = lookup_.tables().starts;
      const std::size_t first_table = lookup_.tables().count > 1 ? starts[1] : lookup_.tables().size;
      std::fill_n(bias, units, 0.0);
      for (std::size_t at = 0; at < first_table; at += width)
        for (std::size_t j = 0; j < units; ++j) bias[j] += by_entry[at + j];
    }
    std::copy_n(gpu_.sums() + output, gradient.size() - shape_.hidden_size(), bias + units);
    const double scale = 1.0 / rows_->total_weight;
    for (double& g : gradient) g *= scale;
  }

  backend::CpuEvaluator cpu_;  ///< for views that the device does not support
  bool on_device_ = false;
  const backend::ResidentRows* rows_ = nullptr;
  const backend::TrainingProblem* problem_ = nullptr;
  BlockShape shape_;
  backend::StepView view_;
  double alpha_over_n_ = 0.0;
  network::LookupLayer lookup_;
  DeviceView gpu_;
  EntryRows entry_rows_;
  backend::OutputLayerSolver output_layer_;
  std::vector<double> gram_, projected_hidden_;
};

}  // namespace

std::unique_ptr<backend::BlockEvaluator> make_device_evaluator() {
  return std::make_unique<DeviceEvaluator>();
}

}  // namespace accrete::cuda
