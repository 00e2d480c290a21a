// Prediction runs encoder, network and link tile by tile, so that a tile stays in the cache and no encoded matrix of
// all rows is needed.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "accrete/core/denormals.hpp"
#include "accrete/core/error.hpp"
#include "accrete/data/table_encoder.hpp"
#include "accrete/model/link.hpp"
#include "accrete/model/plain.hpp"
#include "accrete/network/forward.hpp"
#include "accrete/network/predict_kernel.hpp"

namespace accrete::model {
namespace {

/// Tiles that share one scratch allocation; small, so that small batches still use every thread.
constexpr std::size_t tiles_per_task = 8;

/// Scratch memory for one tile. Padding rows of the last tile hold finite values of an earlier tile.
struct PredictScratch {
  PredictScratch(const Model& model, std::size_t tile_rows)
      : features(model.network.features() * tile_rows),
        open(model.network.outputs() * tile_rows),
        scores(model.network.outputs() * tile_rows) {
    if (model.method != Method::boosting) plain.emplace(model, tile_rows);
  }

  core::AlignedVector<float> features, open;
  core::AlignedVector<double> scores;
  std::optional<PlainScores> plain;  ///< for plain models
  std::span<const float> next;       ///< raw rows of the next tile, to prefetch; empty if they are not contiguous
};

/// Prefetches slice `part` of `parts` of the next tile into the L2 cache. Spread over the computation, so that memory
/// reads overlap with it.
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

/// Predictions for a tile that is already encoded.
void predict_tile(const Model& model, std::size_t steps, std::size_t t, PredictScratch& s,
                  core::MatrixView<double> into) {
  if (s.plain)
    (*s.plain)(s.features.data(), into.rows, s.scores.data());
  else
    score_tile(model, steps, t, s);
  link_tile(model, {s.scores.data(), t}, into);
}

/// encode(first row, rows, scratch, tile rows) returns false if a value is infinite; refuse(first row, rows) then
/// throws for the first such value. The reported tile is the first one, independent of the number of threads.
template <class Encode, class Refuse>
core::Matrix<double> predict_rows(const Model& model, std::size_t rows, std::size_t steps, core::Workers& workers,
                                  Encode&& encode, Refuse&& refuse) {
  check_steps(model, steps);
  check_link(model, model.network.outputs());
  check_features(model);
  const std::size_t t = core::TiledMatrix::tile_rows_for(model.network.features());
  const std::size_t tiles = (rows + t - 1) / t, tasks = (tiles + tiles_per_task - 1) / tiles_per_task;
  core::Matrix<double> result(rows, predictions_per_row(model));
  std::atomic<std::size_t> bad_tile{tiles};
  workers.run(tasks, [&](std::size_t task) {
    PredictScratch scratch(model, t);
    for (std::size_t tile = task * tiles_per_task; tile < std::min(tiles, (task + 1) * tiles_per_task); ++tile) {
      const std::size_t first = tile * t, count = std::min(t, rows - first);
      if (!encode(first, count, scratch, t)) {
        for (std::size_t seen = bad_tile; tile < seen && !bad_tile.compare_exchange_weak(seen, tile);) {
        }
        return;
      }
      predict_tile(model, steps, t, scratch, {result.row(first).data(), count, result.cols()});
    }
  });
  if (bad_tile < tiles) refuse(bad_tile * t, std::min(t, rows - bad_tile * t));
  return result;
}

}  // namespace

core::Matrix<double> predict(const Model& model, const data::Table& table, std::size_t steps, core::Workers& workers) {
  const data::TableEncoder encoder(model.encoder, table, {nullptr, table.rows()});
  return predict_rows(
      model, table.rows(), steps, workers,
      [&](std::size_t first, std::size_t count, PredictScratch& s, std::size_t t) {
        return encoder.encode(first, count, s.features.data(), t);
      },
      [&](std::size_t first, std::size_t count) { encoder.refuse_infinite(first, count); });
}

core::Matrix<double> predict(const Model& model, core::MatrixView<const float> raw, std::size_t steps,
                             core::Workers& workers) {
  const auto& inputs = model.encoder.inputs();
  if (raw.cols != inputs.size() || !model.encoder.all_numeric())
    throw core::UsageError(fmt::format("rows have {} numbers; the model has {} inputs, {}", raw.cols, inputs.size(),
                                       model.encoder.all_numeric() ? "all numeric" : "some of them text"));
  return predict_rows(
      model, raw.rows, steps, workers,
      [&](std::size_t first, std::size_t count, PredictScratch& s, std::size_t t) {
        s.next = raw.flat().subspan((first + count) * raw.cols, std::min(t, raw.rows - first - count) * raw.cols);
        return model.encoder.encode_tile({raw.data + first * raw.cols, count, raw.cols}, s.features.data(), t);
      },
      [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first * raw.cols; i < (first + count) * raw.cols; ++i)
          if (std::isinf(raw.data[i]))
            throw core::DataError(fmt::format("data: row {}, column '{}': the value is infinite", i / raw.cols + 1,
                                              inputs[i % raw.cols].name));
      });
}

void predict_row(const Model& model, std::span<const float> raw, std::size_t steps, std::span<float> workspace,
                 std::span<double> prediction) {
  require_grown(model, "predict_row");
  check_steps(model, steps);
  check_link(model, model.network.outputs());
  if (raw.size() != model.encoder.inputs().size() || workspace.size() < workspace_size(model) ||
      prediction.size() != predictions_per_row(model))
    throw core::UsageError(
        fmt::format("a row of {} inputs, {} predictions and a workspace of {}; the model has {}, {} "
                    "and needs {}",
                    raw.size(), prediction.size(), workspace.size(), model.encoder.inputs().size(),
                    predictions_per_row(model), workspace_size(model)));
  const std::span<float> features = workspace.first(model.encoder.features());
  const std::span<double> scores = prediction.first(model.network.outputs());
  model.encoder.encode_row(raw, features);
  network::forward_row(model.network, features, steps, scores);
  link_row(model, scores, prediction);
}

std::size_t workspace_size(const Model& model) {
  return model.encoder.features();
}

}  // namespace accrete::model
