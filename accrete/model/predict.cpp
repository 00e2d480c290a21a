// Prediction runs encoder, network and link tile by tile, so that a tile stays in the cache and no encoded matrix of
// all rows exists.

#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "accrete/core/denormals.hpp"
#include "accrete/core/error.hpp"
#include "accrete/data/encoder/encode_sparse.hpp"
#include "accrete/model/link.hpp"
#include "accrete/model/plain.hpp"
#include "accrete/model/predict_raw.hpp"
#include "accrete/model/predict_source.hpp"
#include "accrete/model/staged_rows.hpp"
#include "accrete/model/tiles.hpp"
#include "accrete/network/forward.hpp"
#include "accrete/network/kernels/predict_kernel.hpp"
#include "accrete/network/kernels/table_kernel.hpp"

namespace accrete::model {
namespace {

/// State shared by all tiles of a batch.
struct PredictPlan {
  const Model& model;
  std::size_t steps;
  const network::PredictTables* tables;  ///< null: dense weights
  std::size_t tile_rows;
  std::size_t tiles_per_task;
};

/// Scratch for one tile. Padding rows of the last tile contain finite values of an earlier tile.
struct PredictScratch {
  explicit PredictScratch(const PredictPlan& plan) : scores(plan.model.network.outputs() * plan.tile_rows) {
    if (plan.tables) {
      codes.resize(plan.tables->columns() * plan.tile_rows);
      raw.resize(plan.tile_rows);
      return;
    }
    features.resize(plan.model.network.features() * plan.tile_rows);
    open.resize(scores.size());
    if (plan.model.method != Method::boosting) plain.emplace(plan.model, plan.tile_rows);
  }

  core::AlignedVector<double> scores;
  std::vector<network::TableCode> codes;  ///< with tables: the codes of the tile's rows
  std::vector<float> raw;                 ///< with tables: one column of the tile
  core::AlignedVector<float> features, open;
  std::optional<PlainScores> plain;  ///< for plain models
  std::span<const float> next;       ///< raw rows of the next tile to prefetch; empty if they are not contiguous
};

/// Prefetches slice `part` of `parts` of the next tile into the L2 cache. The slices are spread over the computation,
/// which overlaps memory reads with it.
void prefetch_part(std::span<const float> next, std::size_t part, std::size_t parts) {
  constexpr std::size_t line = 64 / sizeof(float);
  const std::size_t end = (part + 1) * next.size() / parts;
  for (std::size_t i = part * next.size() / parts; i < end; i += line) __builtin_prefetch(next.data() + i, 0, 2);
}

/// Scores of the prefix of `steps` steps, for all rows of a tile.
void score_tile(const Model& model, std::size_t steps, std::size_t t, PredictScratch& s) {
  std::fill(s.open.begin(), s.open.end(), 0.0f);
  std::fill(s.scores.begin(), s.scores.end(), 0.0);
  {
    const core::FlushDenormals fast;
    const network::TileSums sums{s.scores.data(), s.open.data()};
    const std::size_t units = model.network.units_after(steps), group = network::group_units;
    const std::size_t groups = (units + group - 1) / group;
    for (std::size_t g = 0; g < groups; ++g) {
      prefetch_part(s.next, g, groups);
      network::add_units(model.network, s.features.data(), t, g * group, std::min(units, (g + 1) * group), sums);
    }
  }
  const auto bias = model.network.bias_after(steps);
  for (std::size_t k = 0; k < bias.size(); ++k)
    for (std::size_t at = k * t; at < (k + 1) * t; ++at)
      s.scores[at] = network::score({s.scores.data(), s.open.data()}, at, bias[k]);
}

/// Scores of a tile's rows from lookup tables.
void score_codes(const PredictPlan& plan, std::size_t rows, PredictScratch& s) {
  const auto bias = plan.model.network.bias_after(plan.steps);
  for (std::size_t k = 0; k < bias.size(); ++k)
    std::fill_n(s.scores.begin() + static_cast<std::ptrdiff_t>(k * plan.tile_rows), plan.tile_rows, bias[k]);
  network::add_table_units(
      *plan.tables, 0, plan.model.network.units_after(plan.steps),
      {.codes = s.codes.data(), .rows = rows, .scores = s.scores.data(), .stride = plan.tile_rows});
}

/// Predictions for the rows of a tile. Returns false if a row has an infinite value.
template <class Source>
bool predict_tile(const PredictPlan& plan, const Source& source, RowRange range, PredictScratch& s,
                  core::MatrixView<double> into) {
  const std::size_t t = plan.tile_rows;
  if (plan.tables) {
    if (!source.find_codes(*plan.tables, range, s.codes.data(), s.raw.data())) return false;
    score_codes(plan, range.count, s);
  } else {
    const std::size_t end = range.first + range.count;
    s.next = source.raw({end, std::min(t, source.rows() - end)});
    if (!source.encode(range, s.features.data(), t)) return false;
    if (s.plain)
      (*s.plain)(s.features.data(), range.count, s.scores.data());
    else
      score_tile(plan.model, plan.steps, t, s);
  }
  link_tile(plan.model, {s.scores.data(), t}, into);
  return true;
}

PredictPlan make_plan(const Model& model, std::size_t steps, std::size_t rows) {
  const network::PredictTables* tables = tables_of(model);
  const auto plan = [&](std::size_t tile_rows, std::size_t tiles_per_task) {
    return PredictPlan{
        .model = model, .steps = steps, .tables = tables, .tile_rows = tile_rows, .tiles_per_task = tiles_per_task};
  };
  return plan(tile_rows_of(model, tables, rows), tables ? 1 : 8);
}

template <class Source>
core::Matrix<double> predict_all(const Model& model, const Source& source, std::size_t steps, core::Workers& workers) {
  check_steps(model, steps);
  check_link(model, model.network.outputs());
  check_features(model);
  const PredictPlan plan = make_plan(model, steps, source.rows());
  core::Matrix<double> result(source.rows(), predictions_per_row(model));
  const auto predict_range = [&](RowRange range, PredictScratch& scratch) {
    return predict_tile(plan, source, range, scratch, {result.row(range.first).data(), range.count, result.cols()});
  };
  const TilePlan tiles{source.rows(), plan.tile_rows, plan.tiles_per_task};
  const auto infinite = run_tiles(
      tiles, workers, [&] { return PredictScratch(plan); }, predict_range);
  if (infinite) source.refuse_infinite(*infinite);
  return result;
}

/// Applies the link as predict_tile does, so that sparse and dense rows have bit-identical predictions.
core::Matrix<double> link_tiles(const Model& model, const core::Matrix<double>& scores) {
  constexpr std::size_t t = 64;
  core::Matrix<double> result(scores.rows(), predictions_per_row(model));
  core::AlignedVector<double> tile(scores.cols() * t);
  for (std::size_t first = 0; first < scores.rows(); first += t) {
    const std::size_t count = std::min(t, scores.rows() - first);
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t k = 0; k < scores.cols(); ++k) tile[k * t + r] = scores(first + r, k);
    link_tile(model, {tile.data(), t}, {result.row(first).data(), count, result.cols()});
  }
  return result;
}

}  // namespace

core::Matrix<double> predict(const Model& model, const data::Table& table, std::size_t steps, core::Workers& workers) {
  if (model.method == Method::boosting && data::is_all_sparse(model.encoder, table)) {
    check_steps(model, steps);
    check_link(model, model.network.outputs());
    check_features(model);
    const StagedRows rows(model.encoder, table);
    return link_tiles(model, network::forward(model.network, rows.tiles(), steps, workers));
  }
  return predict_all(model, TableSource(model.encoder, table), steps, workers);
}

core::Matrix<double> predict(const Model& model, core::MatrixView<const float> raw, std::size_t steps,
                             core::Workers& workers) {
  check_width(model, raw.cols);
  return predict_all(model, MatrixSource(model.encoder, raw), steps, workers);
}

core::Matrix<double> predict_raw(const Model& model, core::MatrixView<const float> raw, std::size_t steps,
                                 core::Workers& workers) {
  if (raw.cols != model.encoder.inputs().size())
    throw core::UsageError(
        fmt::format("rows of {} raw values; the model has {} inputs", raw.cols, model.encoder.inputs().size()));
  return predict_all(model, MatrixSource(model.encoder, raw), steps, workers);
}

}  // namespace accrete::model
