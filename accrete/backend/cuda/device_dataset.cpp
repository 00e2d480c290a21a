#include "accrete/backend/cuda/device_dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "accrete/activation/list.hpp"
#include "accrete/config/draw_size.hpp"
#include "accrete/config/preset.hpp"
#include "accrete/core/error.hpp"
#include "accrete/solver/lbfgs.hpp"

namespace accrete::cuda {
namespace {

/// Calls f(feature, first row, values) for all training rows, then for the test rows.
template <class F>
void for_columns(const data::Features& train, const data::Features& test, F f) {
  std::size_t first = 0;
  for (const data::Features* features : {&train, &test}) {
    const std::size_t tile = features->tile_rows();
    std::vector<float> scratch(tile);
    for (std::size_t t = 0; t < features->tiles() && features->rows() > 0; ++t)
      for (std::size_t c = 0; c < train.cols(); ++c) {
        const float* column = features->column(t, c, scratch.data());
        f(c, first + t * tile, std::span(column, std::min(tile, features->rows() - t * tile)));
      }
    first += features->rows();
  }
}

std::vector<float> column_major(const data::Features& train, const data::Features& test, std::size_t columns,
                                std::size_t stride) {
  std::vector<float> x(columns * stride, 0.0f);
  for_columns(train, test, [&](std::size_t f, std::size_t row, std::span<const float> values) {
    std::ranges::copy(values, x.data() + f * stride + row);
  });
  return x;
}

/// Tile by tile, column-major within a tile. Padded by a quad because kernels read four features at a time.
std::vector<float> tiled(const data::Features& train, const data::Features& test, std::size_t columns,
                         std::size_t stride) {
  std::vector<float> x(columns * stride + quad * tile_rows, 0.0f);
  for_columns(train, test, [&](std::size_t f, std::size_t row, std::span<const float> values) {
    while (!values.empty()) {
      const std::size_t in_tile = row % tile_rows, count = std::min<std::size_t>(tile_rows - in_tile, values.size());
      std::ranges::copy(values.first(count), x.data() + (row - in_tile) * columns + f * tile_rows + in_tile);
      row += count;
      values = values.subspan(count);
    }
  });
  return x;
}

/// A column-major matrix with four features interleaved, padded with zeros.
std::vector<float> interleave_quads(std::span<const float> x, std::size_t features, std::size_t stride) {
  std::vector<float> quads(pad_to_quad(features) * stride, 0.0f);
  for (std::size_t f = 0; f < features; ++f)
    for (std::size_t r = 0; r < stride; ++r) quads[quad * (f / quad * stride + r) + f % quad] = x[f * stride + r];
  return quads;
}

Objective objective_of(const config::ResolvedConfig& config) {
  if (config.objective == "direct") return Objective::direct;
  return config.objective == "projected" ? Objective::projected : Objective::residual;
}

/// Kernels use 32-bit indices.
void check_index_range(const FitPlan& plan, const DeviceRows& rows) {
  const std::size_t columns = std::max({rows.feature_count + 1, plan.outputs, plan.units});
  if (columns * rows.row_stride > std::numeric_limits<unsigned>::max())
    throw core::Error(fmt::format("{} rows x {} columns exceed the GPU's limit of 2^32 values; fit on the CPU",
                                  rows.train_rows, columns));
}

}  // namespace

DeviceDataset::DeviceDataset(const data::Dataset& train, const data::Features& test, bool quads) {
  const std::size_t count = train.rows(), stride = pad_to(tile_rows, count + test.rows());
  const std::size_t target_count = train.targets.cols(), features = train.features.cols();
  const std::size_t columns = features + (train.features.has_wide_columns() ? 1 : 0);
  const std::vector<float> x =
      quads ? column_major(train.features, test, columns, stride) : tiled(train.features, test, columns, stride);
  x_ = DeviceArray<float>(x);
  if (quads) quads_ = DeviceArray<float>(interleave_quads(x, features, stride));
  measure_groups(train.features);
  std::vector<float> targets(target_count * count), weights(train.weights.begin(), train.weights.end());
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t t = 0; t < target_count; ++t) targets[t * count + r] = static_cast<float>(train.targets(r, t));
  targets_ = DeviceArray<float>(targets);
  weights_ = DeviceArray<float>(weights);
  rows_ = {.x = x_.data(),
           .quads = quads_.data(),
           .targets = targets_.data(),
           .weights = weights_.data(),
           .group_starts = group_starts_.data(),
           .train_rows = static_cast<unsigned>(count),
           .test_rows = static_cast<unsigned>(test.rows()),
           .row_stride = static_cast<unsigned>(stride),
           .feature_count = static_cast<unsigned>(features),
           .target_count = static_cast<unsigned>(target_count),
           .group_count = static_cast<unsigned>(train.features.groups()),
           .column_stride = static_cast<unsigned>(quads ? stride : tile_rows),
           .tile_skip = static_cast<unsigned>(quads ? 0 : columns - 1),
           .equal_weights = std::ranges::all_of(weights, [&](float weight) { return weight == weights[0]; }),
           .row_weight = train.row_weight};
}

void DeviceDataset::measure_groups(const data::Features& features) {
  if (!features.has_wide_columns()) return;
  std::vector<unsigned> starts{0};
  for (std::size_t g = 0; g < features.groups(); ++g) {
    group_sizes_.push_back(features.features_of({&g, 1}).size());
    starts.push_back(starts.back() + static_cast<unsigned>(group_sizes_.back()));
  }
  group_starts_ = DeviceArray<unsigned>(starts);
  std::ranges::sort(group_sizes_, std::greater());
}

std::size_t DeviceDataset::max_features(std::size_t groups) const {
  if (group_sizes_.empty()) return groups;
  return std::accumulate(group_sizes_.begin(), group_sizes_.begin() + static_cast<std::ptrdiff_t>(groups),
                         std::size_t{0});
}

FitPlan make_plan(const config::ResolvedConfig& config, std::size_t outputs, const DeviceDataset& dataset) {
  const DeviceRows& rows = dataset.rows();
  const auto activation = activation::Activation::named(config.activation);
  const loss::Loss loss = config::loss_of(config);
  FitPlan plan{};
  plan.units = static_cast<unsigned>(config.units_per_step);
  plan.end_step = static_cast<unsigned>(config.units / config.units_per_step);
  plan.outputs = static_cast<unsigned>(outputs);
  plan.drawn_rows = static_cast<unsigned>(config::rows_per_step(config, rows.train_rows));
  plan.drawn_groups = static_cast<unsigned>(config::features_per_step(config, rows.group_count));
  plan.width = static_cast<unsigned>(dataset.max_features(plan.drawn_groups));
  plan.objective = objective_of(config);
  plan.descents = config::step_descents(config, plan.objective == Objective::projected);
  plan.rescale_residual = config.rescale_residual;
  plan.single_pass = plan.units == 1 && outputs == 1 && plan.width <= max_single_pass_features;
  plan.learning_rate = {config.learning_rate, config.first_rate};
  plan.alpha = config.alpha;
  plan.tolerance = config.tolerance;
  plan.tolerance_floor = config.tolerance_floor;
  plan.init_gain = activation.init_gain();
  plan.seed = config.seed;
  plan.loss = static_cast<unsigned>(loss.index);
  plan.activation = static_cast<unsigned>(activation.index);
  plan.unit_step = loss.unit_step();
  plan.residual_scale = static_cast<float>(loss.residual_scale());
  plan.loss_settings = {config.huber_delta, config.quantile};
  check_index_range(plan, rows);
  return plan;
}

template <class Vectors>
SolverSize solver_size(std::size_t parameters) {
  using Solver = solver::Lbfgs<Vectors>;
  return {sizeof(solver::SolverOptions) + sizeof(Solver) + sizeof(double),
          Solver::workspace_size(parameters, solver::SolverOptions{})};
}

template SolverSize solver_size<NarrowVectors>(std::size_t parameters);
template SolverSize solver_size<WideVectors>(std::size_t parameters);

}  // namespace accrete::cuda
