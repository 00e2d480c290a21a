#include "accrete/backend/cuda/resident.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "accrete/activation/list.hpp"
#include "accrete/boosting/preset.hpp"
#include "accrete/boosting/step.hpp"
#include "accrete/core/error.hpp"
#include "accrete/solver/lbfgs.hpp"

namespace accrete::cuda {
namespace {

/// put(feature, first row, values) for all of the matrix, training rows and then test rows.
template <class Put>
void for_columns(const data::Features& train, const data::Features& test, Put put) {
  std::size_t first = 0;
  for (const data::Features* part : {&train, &test}) {
    const std::size_t each = part->tile_rows();
    std::vector<float> room(each);
    for (std::size_t t = 0; t < part->tiles() && part->rows() > 0; ++t)
      for (std::size_t f = 0; f < train.cols(); ++f) {
        const float* column = part->column(t, f, room.data());
        put(f, first + t * each, std::span(column, std::min(each, part->rows() - t * each)));
      }
    first += part->rows();
  }
}

/// Feature by feature.
std::vector<float> by_feature(const data::Features& train, const data::Features& test, std::size_t stride) {
  std::vector<float> x(train.cols() * stride, 0.0f);
  for_columns(train, test, [&](std::size_t f, std::size_t row, std::span<const float> values) {
    std::ranges::copy(values, x.data() + f * stride + row);
  });
  return x;
}

/// Tile by tile, feature by feature in it. Features are read by four: there is something behind the last.
std::vector<float> by_tile(const data::Features& train, const data::Features& test, std::size_t stride) {
  std::vector<float> x(train.cols() * stride + quad * tile_rows, 0.0f);
  for_columns(train, test, [&](std::size_t f, std::size_t row, std::span<const float> values) {
    while (!values.empty()) {
      const std::size_t in_tile = row % tile_rows, some = std::min<std::size_t>(tile_rows - in_tile, values.size());
      std::ranges::copy(values.first(some), x.data() + (row - in_tile) * train.cols() + f * tile_rows + in_tile);
      row += some;
      values = values.subspan(some);
    }
  });
  return x;
}

/// What lies feature by feature, by four of them; with zeros where there are no more.
std::vector<float> by_quads(std::span<const float> x, std::size_t features, std::size_t stride) {
  std::vector<float> quads(padded(features) * stride, 0.0f);
  for (std::size_t f = 0; f < features; ++f)
    for (std::size_t r = 0; r < stride; ++r) quads[quad * (f / quad * stride + r) + f % quad] = x[f * stride + r];
  return quads;
}

Objective objective_of(const boosting::Config& config) {
  if (config.objective == "direct") return Objective::direct;
  return config.objective == "projected" ? Objective::projected : Objective::residual;
}

/// Places in an array are counted in 32 bits there.
void check_counts(const FitPlan& plan, const DeviceRows& rows) {
  const std::size_t columns = std::max({rows.features, plan.outputs, plan.units});
  if (columns * rows.stride > std::numeric_limits<unsigned>::max())
    throw core::Error(fmt::format("{} rows of {} numbers each are too many for the GPU", rows.train, columns));
}

}  // namespace

Resident::Resident(const data::Dataset& train, const data::Features& test, bool quads) {
  const std::size_t count = train.rows(), tests = test.rows();
  const std::size_t stride = (count + tests + 31) / 32 * 32, targets = train.targets.cols();
  const std::vector<float> x = quads ? by_feature(train.features, test, stride) : by_tile(train.features, test, stride);
  x_ = DeviceArray<float>(x);
  if (quads) quads_ = DeviceArray<float>(by_quads(x, train.features.cols(), stride));
  std::vector<float> y(targets * count), w(train.weights.begin(), train.weights.end());
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t t = 0; t < targets; ++t) y[t * count + r] = static_cast<float>(train.targets(r, t));
  y_ = DeviceArray<float>(y);
  w_ = DeviceArray<float>(w);
  rows_ = {x_.data(),
           quads_.data(),
           y_.data(),
           w_.data(),
           static_cast<unsigned>(count),
           static_cast<unsigned>(tests),
           static_cast<unsigned>(stride),
           static_cast<unsigned>(train.features.cols()),
           static_cast<unsigned>(targets),
           static_cast<unsigned>(quads ? stride : tile_rows),
           static_cast<unsigned>(quads ? 0 : train.features.cols() - 1),
           std::ranges::all_of(w, [&](float weight) { return weight == w[0]; }),
           train.row_weight};
}

FitPlan plan_of(const boosting::Config& config, std::size_t outputs, const DeviceRows& rows) {
  FitPlan plan{};
  plan.units = static_cast<unsigned>(config.units_per_step);
  plan.steps = static_cast<unsigned>(config.units / config.units_per_step);
  plan.outputs = static_cast<unsigned>(outputs);
  plan.drawn = static_cast<unsigned>(boosting::rows_of_a_step(config, rows.train));
  plan.width = static_cast<unsigned>(boosting::features_of_a_step(config, rows.features));
  plan.objective = objective_of(config);
  plan.iterations = static_cast<unsigned>(config.max_iter);
  plan.joint_iterations = static_cast<unsigned>(std::min(config.joint_iter, config.max_iter));
  plan.rescale = config.rescale_residual;
  plan.rate = {config.learning_rate, config.first_rate};
  plan.alpha = config.alpha;
  plan.tolerance = config.tolerance;
  plan.floor = config.tolerance_floor;
  plan.gain_tolerance = config.gain_tolerance;
  plan.gain = activation::Activation::named(config.activation).init_gain();
  plan.seed = config.seed;
  const loss::Loss loss = boosting::loss_of(config);
  plan.loss = static_cast<unsigned>(loss.index);
  plan.unit_step = loss.unit_step();
  plan.residual_scale = static_cast<float>(loss.residual_scale());
  plan.activation = static_cast<unsigned>(activation::Activation::named(config.activation).index);
  plan.settings = {config.huber_delta, config.quantile};
  check_counts(plan, rows);
  return plan;
}

template <class Vectors>
SolverRoom solver_room(std::size_t parameters) {
  using Solver = solver::Lbfgs<Vectors>;
  return {sizeof(solver::Options) + sizeof(Solver) + sizeof(double),
          Solver::workspace_size(parameters, solver::Options{})};
}

template SolverRoom solver_room<WarpVectorsLayout>(std::size_t parameters);
template SolverRoom solver_room<WideVectorsLayout>(std::size_t parameters);

}  // namespace accrete::cuda
