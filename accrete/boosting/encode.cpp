#include "accrete/boosting/encode.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

#include "accrete/boosting/notes.hpp"
#include "accrete/boosting/rows/distinct_rows.hpp"
#include "accrete/boosting/shared_table.hpp"
#include "accrete/boosting/split.hpp"
#include "accrete/config/draw_size.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/data/column_index.hpp"

namespace accrete::boosting {
namespace {

/// True if the order of the training rows affects only rounding, and the rows are few enough to sort.
bool is_order_free(const config::ResolvedConfig& config, const data::Split& split) {
  const bool draws_rows = config.subsample < 1.0 || !split.test.empty() || config.solver != "lbfgs";
  return !draws_rows && split.train.size() <= max_sorted_rows;
}

/// Indices of the encoder's inputs; encoding refuses a table that lacks one.
std::vector<std::size_t> input_columns(const data::Encoder& encoder, const data::Table& table) {
  std::vector<std::size_t> columns;
  const data::ColumnIndex index(table);
  for (const auto& input : encoder.inputs())
    if (const auto at = index.find(input.name)) columns.push_back(*at);
  return columns;
}

double mean_weight(std::span<const double> weights, std::span<const std::size_t> rows) {
  double sum = 0.0;
  for (const std::size_t r : rows) sum += weights[r];
  return sum / static_cast<double>(rows.size());
}

void learn_encoding(const TrainingTable& table, std::span<const std::size_t> rows, core::Workers& workers,
                    PreparedFit& fit) {
  TargetScale scale = target_scale({table.targets, table.weights, table.offsets}, rows, fit.config);
  fit.model.target_shift = std::move(scale.shift);
  fit.model.target_scale = std::move(scale.scale);
  const data::WeightedRows from{rows, table.weights, {&table.targets, fit.model.classes.size()}};
  const data::EncoderOptions options{.bins = fit.config.bins};
  fit.model.encoder = table.shared ? table.shared->fit_encoder(table.columns, from, options)
                                   : data::Encoder::fit(table.table(), table.columns, from, options, &workers);
  if (auto note = note_lost_digits(fit.model.encoder, table.table())) fit.notes.push_back(std::move(*note));
}

/// Merging needs all rows in one process. Ranks gather small tables, but not a large table of which only few rows have
/// weight.
[[noreturn]] void refuse_merging(std::size_t rows) {
  throw core::UsageError(core::message(
      "only {} rows have a weight above 0; a fit of this few rows across ranks must not have rows of weight 0: remove "
      "them, or fit in one process",
      rows));
}

data::Dataset encode_validation_table(const PreparedFit& fit, const data::Table& table, const FitOptions& options,
                                      core::Workers& workers) {
  const model::Model& model = fit.model;
  const auto values = read_targets_of(model, table);
  const auto weights = read_weights(table, table.find(options.weight_column) ? options.weight_column : "");
  const auto offsets = read_offsets_of(model, table);
  const auto rows = all_rows(table.rows());
  check_target_values({table, values, model.targets}, rows, fit.config);
  const std::span<const std::size_t> subsets[] = {rows};
  auto features = data::encode_subsets(model.encoder, {table}, subsets, workers);
  return make_dataset(std::move(features.front()), rows, {values, weights, offsets},
                      {model.target_shift, model.target_scale}, table.source);
}

}  // namespace

void encode_rows(TrainingTable table, data::Split split, const FitOptions& options, core::Workers& workers,
                 PreparedFit& fit) {
  if (config::rows_per_step(fit.config, split.train.size()) == 0)
    throw core::UsageError(core::parameter("subsample", fit.config.subsample),
                           core::message("leaves none of the {} rows; use a larger share", split.train.size()));
  // A custom loss may treat rows individually, and equal rows may have different offsets.
  if (is_order_free(fit.config, split) && !fit.custom_loss && table.offsets.empty()) {
    if (table.shared) refuse_merging(split.train.size());
    const auto columns = table.columns.empty() ? input_columns(fit.model.encoder, table.table()) : table.columns;
    merge_equal_rows({table.table(), columns, table.targets}, split.train, table.weights);
  }
  if (!table.columns.empty()) learn_encoding(table, split.train, workers, fit);
  EncodedSplit encoded = encode_split({.source = table.source,
                                       .targets = table.targets,
                                       .weights = table.weights,
                                       .offsets = table.offsets,
                                       .model = fit.model,
                                       .config = fit.config,
                                       .workers = workers,
                                       .shared = table.shared},
                                      split);
  fit.train = std::move(encoded.train);
  fit.validation = std::move(encoded.validation);
  fit.constraints = std::move(encoded.constraints);
  if (options.validation) fit.validation = encode_validation_table(fit, *options.validation, options, workers);
}

EncodedSplit encode_split(const SplitTask& task, const data::Split& split) {
  EncodedSplit result;
  if (config::is_constrained(task.config)) result.constraints = feature_constraints(task.config, task.model.encoder);
  const std::string& source = task.source.table.source;
  const double row_weight = mean_weight(task.weights, split.train);
  std::vector<double> balanced;
  if (task.config.class_weight.balanced) {
    balanced.assign(task.weights.begin(), task.weights.end());
    balance_classes(balanced, task.targets.flat(), task.model.classes.size(), split.train);
  }
  const TargetScale scale{task.model.target_shift, task.model.target_scale};
  const TableTargets data{task.targets, balanced.empty() ? task.weights : balanced, task.offsets};
  const std::span<const std::size_t> subsets[] = {split.train, split.test};
  auto features = task.shared ? task.shared->encode(task.model.encoder, subsets, task.workers)
                              : data::encode_subsets(task.model.encoder, task.source, subsets, task.workers);
  result.train = make_dataset(std::move(features[0]), split.train, data, scale, source);
  result.train.row_weight = row_weight;
  if (split.test.empty()) return result;
  result.validation = make_dataset(std::move(features[1]), split.test, data, scale, source);
  result.validation->row_weight = mean_weight(task.weights, split.test);
  return result;
}

data::Dataset make_dataset(data::Features features, std::span<const std::size_t> rows, const TableTargets& data,
                           const TargetScale& scale, const std::string& source) {
  const auto& [targets, weights, offsets] = data;
  data::Dataset dataset;
  dataset.features = std::move(features);
  dataset.targets = core::Matrix<double>(rows.size(), targets.cols());
  dataset.weights.resize(rows.size());
  double total = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    dataset.weights[i] = weights[rows[i]];
    total += weights[rows[i]];
    for (std::size_t c = 0; c < targets.cols(); ++c)
      dataset.targets(i, c) = (targets(rows[i], c) - scale.shift[c]) / scale.scale[c];
  }
  if (!offsets.empty())
    for (const std::size_t r : rows) dataset.offsets.push_back(offsets[r] / scale.scale.front());
  if (!(total > 0.0))
    throw core::DataError(core::message("{}: all rows have weight 0 in {}", source, core::parameter("weight_column")));
  for (double& w : dataset.weights) w *= static_cast<double>(rows.size()) / total;
  return dataset;
}

void balance_classes(std::span<double> weights, std::span<const double> labels, std::size_t classes,
                     std::span<const std::size_t> rows) {
  std::vector<double> total(classes, 0.0);
  for (std::size_t r : rows) total[static_cast<std::size_t>(labels[r])] += weights[r];
  const double all = std::accumulate(total.begin(), total.end(), 0.0);
  for (std::size_t r = 0; r < labels.size(); ++r) {
    const double own = total[static_cast<std::size_t>(labels[r])];
    if (own > 0.0) weights[r] *= all / (static_cast<double>(classes) * own);
  }
}

std::uint64_t fingerprint(const data::Dataset& data, comm::Communicator& comm) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  auto mix = [&](std::uint64_t word) { hash = std::rotl((hash ^ word) * 0x9E3779B97F4A7C15u, 29); };
  mix(data.rows());
  mix(data.features.cols());
  // Hashed by feature, as a kernel reads them, so that expanded and compact ramps give the same hash. Wide columns are
  // never expanded and have too many features; the entries of sparse columns follow below.
  const data::Features& features = data.features;
  const bool wide = features.has_wide_columns() || features.sparse();
  const std::size_t tile_rows = features.tile_rows(), columns = wide ? features.stored().cols() : features.cols();
  std::vector<float> scratch(tile_rows);
  const auto mix_features = [&] {
    for (std::size_t t = 0; t < features.tiles(); ++t)
      for (std::size_t c = 0; c < columns; ++c) {
        const float* x = wide ? features.stored().tile(t) + c * tile_rows : features.column(t, c, scratch.data());
        const std::size_t count = std::min(tile_rows, features.rows() - t * tile_rows);
        for (std::size_t i = 0; i < tile_rows; ++i) mix(std::bit_cast<std::uint32_t>(i < count ? x[i] + 0.0f : 0.0f));
      }
  };
  // Ranks hash in turn, each continuing from the previous rank's state.
  for (std::size_t r = 0; r < comm.size(); ++r) {
    if (r == comm.rank()) mix_features();
    comm.broadcast(std::as_writable_bytes(std::span(&hash, 1)), r);
  }
  if (const data::SparseBlock* sparse = features.sparse()) {
    for (const std::size_t start : sparse->by_row.starts) mix(start);
    for (const std::uint32_t column : sparse->by_row.indices) mix(column);
    for (const float x : sparse->by_row.values) mix(std::bit_cast<std::uint32_t>(x));
  }
  for (double y : data.targets.flat()) mix(std::bit_cast<std::uint64_t>(y + 0.0));
  for (double offset : data.offsets) mix(std::bit_cast<std::uint64_t>(offset + 0.0));
  for (double w : data.weights) mix(std::bit_cast<std::uint64_t>(w * data.row_weight));
  return hash;
}

}  // namespace accrete::boosting
