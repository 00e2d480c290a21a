#include "accrete/model/exit_cascade.hpp"

#include <algorithm>
#include <numeric>

#include "accrete/core/denormals.hpp"
#include "accrete/core/error.hpp"
#include "accrete/data/encoder/encode_sparse.hpp"
#include "accrete/model/link.hpp"
#include "accrete/model/tiles.hpp"
#include "accrete/network/kernels/predict_kernel.hpp"
#include "accrete/network/kernels/table_kernel.hpp"

namespace accrete::model {

ExitCascade::ExitCascade(const Model& model, std::span<const std::size_t> exits, std::size_t rows, const Visit& visit)
    : model_(model), visit_(visit), tables_(tables_of(model)), tile_rows_(tile_rows_of(model, tables_, rows)) {
  const network::Network& network = model.network;
  const std::size_t t = tile_rows_, scores = network.outputs() * t;
  std::size_t unit = 0;
  for (std::size_t e = 0; e <= exits.size(); ++e) {
    Stage& stage = stages_.emplace_back();
    stage.steps = e < exits.size() ? exits[e] : network.steps();
    stage.first_unit = unit;
    stage.last_unit = unit = network.units_after(stage.steps);
    stage.rows.reserve(t);
    stage.active.reserve(t);
    stage.stops.resize(t);
    stage.sums.resize(scores);
    stage.scores.resize(scores);
    if (tables_) {
      stage.codes.resize(tables_->columns() * t);
    } else {
      stage.features.resize(network.features() * t);
      stage.partial.resize(scores);
    }
  }
  if (tables_) raw_.resize(t);
}

/// Registers the rows whose features or codes were written to the first stage.
void ExitCascade::enter(RowRange range) {
  Stage& first = stages_.front();
  first.rows.resize(range.count);
  std::iota(first.rows.begin(), first.rows.end(), range.first);
  std::ranges::fill(first.partial, 0.0f);
  std::ranges::fill(first.sums, 0.0);
  // With tables, sums start with the bias of all units, as they do in predict, so that a row that never stops gets the
  // same bits.
  const auto bias = model_.network.bias_after(model_.network.steps());
  for (std::size_t k = 0; k < bias.size() && tables_; ++k)
    std::fill_n(first.sums.begin() + static_cast<std::ptrdiff_t>(k * tile_rows_), tile_rows_, bias[k]);
  run(0);
}

/// Adds a stage's units to its tile and writes the scores of its prefix.
void ExitCascade::add_units(Stage& stage) {
  const network::Network& network = model_.network;
  const auto bias = network.bias_after(stage.steps), last = network.bias_after(network.steps());
  if (tables_) {
    network::add_table_units(
        *tables_, stage.first_unit, stage.last_unit,
        {.codes = stage.codes.data(), .rows = stage.rows.size(), .scores = stage.sums.data(), .stride = tile_rows_});
    for (std::size_t k = 0; k < bias.size(); ++k)
      for (std::size_t at = k * tile_rows_; at < k * tile_rows_ + stage.rows.size(); ++at)
        stage.scores[at] = stage.sums[at] + (bias[k] - last[k]);
    return;
  }
  const core::FlushDenormals fast;
  const network::TileSums sums{stage.sums.data(), stage.partial.data()};
  network::add_units(network, stage.features.data(), tile_rows_, stage.first_unit, stage.last_unit, sums);
  for (std::size_t k = 0; k < bias.size(); ++k)
    for (std::size_t at = k * tile_rows_; at < k * tile_rows_ + stage.rows.size(); ++at)
      stage.scores[at] = network::score(sums, at, bias[k]);
}

/// Finishes the tile of a stage: some rows stop, the others wait at the next stage until its tile is full.
void ExitCascade::run(std::size_t index) {
  Stage& stage = stages_[index];
  add_units(stage);
  std::ranges::fill(stage.stops, std::uint8_t{0});
  visit_({.stage = index,
          .rows = stage.rows,
          .scores = stage.scores.data(),
          .stride = tile_rows_,
          .stops = std::span(stage.stops).first(stage.rows.size())});
  if (index + 1 < stages_.size()) {
    Stage& next = stages_[index + 1];
    stage.active.clear();
    for (std::size_t r = 0; r < stage.rows.size(); ++r)
      if (!stage.stops[r]) stage.active.push_back(r);
    for (std::span<const std::size_t> active = stage.active; !active.empty();) {
      const auto moved = active.first(std::min(active.size(), tile_rows_ - next.rows.size()));
      move(stage, moved, next);
      active = active.subspan(moved.size());
      if (next.rows.size() == tile_rows_) run(index + 1);
    }
  }
  stage.rows.clear();
}

/// Appends rows of one tile to another.
void ExitCascade::move(const Stage& from, std::span<const std::size_t> active, Stage& to) const {
  const std::size_t t = tile_rows_, place = to.rows.size();
  const auto gather = [&](const auto& source, auto& target) {
    for (std::size_t column = 0; column < source.size(); column += t)
      for (std::size_t i = 0; i < active.size(); ++i) target[column + place + i] = source[column + active[i]];
  };
  gather(from.features, to.features);
  // Complete groups of units leave no partial sum.
  if (from.last_unit % network::group_units != 0)
    gather(from.partial, to.partial);
  else
    for (std::size_t column = 0; column < to.partial.size(); column += t)
      std::fill_n(to.partial.begin() + static_cast<std::ptrdiff_t>(column + place), active.size(), 0.0f);
  gather(from.sums, to.sums);
  const std::size_t columns = tables_ ? tables_->columns() : 0;
  for (std::size_t i = 0; i < active.size(); ++i) {
    std::copy_n(from.codes.begin() + static_cast<std::ptrdiff_t>(active[i] * columns), columns,
                to.codes.begin() + static_cast<std::ptrdiff_t>((place + i) * columns));
    to.rows.push_back(from.rows[active[i]]);
  }
}

void ExitCascade::finish() {
  for (std::size_t stage = 1; stage < stages_.size(); ++stage)
    if (!stages_[stage].rows.empty()) run(stage);
}

namespace {

template <class Source>
void run_source(const Model& model, const Source& source, std::span<const std::size_t> exits, core::Workers& workers,
                const ExitCascade::Visit& visit) {
  check_link(model, model.network.outputs());
  check_features(model);
  const std::size_t tile_rows = tile_rows_of(model, tables_of(model), source.rows());
  // The last tile of every stage is partly empty, so a task has many tiles; each thread still gets several tasks.
  constexpr std::size_t max_tiles = 128;
  const std::size_t tiles = (source.rows() + tile_rows - 1) / tile_rows;
  const std::size_t tasks = workers.threads() == 1 ? 1 : 4 * workers.threads();
  const std::size_t per_task = std::clamp<std::size_t>(tiles / tasks, 1, max_tiles);
  const auto infinite = run_tiles(
      {source.rows(), tile_rows, per_task}, workers, [&] { return ExitCascade(model, exits, source.rows(), visit); },
      [&](RowRange range, ExitCascade& cascade) {
        if (!cascade.add(source, range)) return false;
        const std::size_t tile = range.first / tile_rows;
        if ((tile + 1) % per_task == 0 || tile + 1 == tiles) cascade.finish();
        return true;
      });
  if (infinite) source.refuse_infinite(*infinite);
}

}  // namespace

void run_exits(const Model& model, const data::Table& table, std::span<const std::size_t> exits, core::Workers& workers,
               const ExitCascade::Visit& visit) {
  if (data::is_all_sparse(model.encoder, table))
    throw core::UsageError("early exit needs dense columns, but all columns are sparse");
  run_source(model, TableSource(model.encoder, table), exits, workers, visit);
}

void run_exits(const Model& model, core::MatrixView<const float> raw, std::span<const std::size_t> exits,
               core::Workers& workers, const ExitCascade::Visit& visit) {
  check_width(model, raw.cols);
  run_source(model, MatrixSource(model.encoder, raw), exits, workers, visit);
}

}  // namespace accrete::model
