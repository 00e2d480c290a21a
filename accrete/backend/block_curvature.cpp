#include "accrete/backend/block_curvature.hpp"

#include <algorithm>
#include <functional>

#include "accrete/core/denormals.hpp"
#include "accrete/data/feature_memory.hpp"

namespace accrete::backend {
namespace {

// Fixed, so that the result is bit-identical for any number of threads.
constexpr std::size_t curvature_parts = 4;

}  // namespace

void BlockCurvature::set_view(const ResidentRows& rows, const BlockShape& shape, std::span<const std::size_t> features,
                              bool is_sparse, const TrainingProblem& problem) {
  rows_ = &rows;
  workers_ = &problem.workers;
  shape_ = shape;
  activation_ = problem.activation.index;
  features_.assign(features.begin(), features.end());
  sources_ = rows.x->sources(features);
  is_sparse_ = is_sparse;
  // The kernel cannot read sparse features, so it gets all features as dense columns.
  for (std::size_t i = 0; is_sparse && i < sources_.size(); ++i) sources_[i] = {.column = i};
  sample_.set_rows(rows, problem.comm);
}

/// Sums the products of the sampled tiles in a fixed number of parts.
void BlockCurvature::compute(const float* hidden, std::span<const double> output_layer, double alpha_over_n,
                             bool is_parallel, std::span<double> matrix) {
  const std::size_t t = rows_->x->tile_rows(), n = curvature_columns(shape_);
  sample_.sample(std::max(curvature_rows, 8 * n), hidden, shape_.units);
  columns_.resize(curvature_parts * (n + data::count_computed(sources_)) * t);
  inputs_.resize(curvature_parts * sources_.size());
  products_.assign(curvature_parts * n * n, 0.0);
  if (is_sparse_) dense_tiles_.resize(curvature_parts * sources_.size() * t);
  auto run_part = [&](std::size_t part) { add_part(part); };
  if (is_parallel)
    workers_->run(curvature_parts, std::ref(run_part));
  else
    for (std::size_t part = 0; part < curvature_parts; ++part) add_part(part);
  for (std::size_t part = 1; part < curvature_parts; ++part)
    for (std::size_t i = 0; i < n * n; ++i) products_[i] += products_[part * n * n + i];
  products_.resize(n * n);
  const double weight = products_[shape_.units * n + shape_.units];  // the column of ones times itself
  for (double& product : products_) product /= weight > 0.0 ? weight : 1.0;
  gauss_newton(shape_, products_, output_layer, alpha_over_n, matrix);
}

/// The features of a tile as dense columns.
const float* BlockCurvature::dense_tile(std::size_t tile, std::size_t part) {
  const std::size_t t = rows_->x->tile_rows(), count = features_.size();
  float* into = dense_tiles_.data() + part * count * t;
  for (std::size_t i = 0; i < count; ++i) {
    const float* values = rows_->x->column(tile, features_[i], into + i * t);
    if (values != into + i * t) std::copy_n(values, t, into + i * t);
  }
  return into;
}

void BlockCurvature::add_part(std::size_t part) {
  const core::FlushDenormals flush;
  const std::size_t t = rows_->x->tile_rows(), n = curvature_columns(shape_), sampled = sample_.count();
  float* columns = columns_.data() + part * (columns_.size() / curvature_parts);
  const CurvatureScratch scratch{.features = sources_,
                                 .shape = shape_,
                                 .tile_rows = t,
                                 .activation = activation_,
                                 .columns = columns,
                                 .ramps = columns + n * t,
                                 .inputs = inputs_.data() + part * sources_.size()};
  for (std::size_t i = part * sampled / curvature_parts; i < (part + 1) * sampled / curvature_parts; ++i) {
    CurvatureTile tile = sample_.tile(i);
    if (is_sparse_) tile.x = dense_tile(sample_.number_of(i), part);
    add_curvature_products(scratch, tile, products_.data() + part * n * n);
  }
}

}  // namespace accrete::backend
