#include "accrete/boosting/choose/held_out.hpp"

#include <algorithm>
#include <utility>

#include "accrete/boosting/rows/distinct_rows.hpp"
#include "accrete/boosting/split.hpp"
#include "accrete/core/random.hpp"

namespace accrete::boosting {
namespace {

constexpr std::size_t folds = 5;
constexpr std::size_t max_numbers_in_folds = 1'000'000;  // rows x features x folds; at least one fold is used

/// Approximate numbers per row without bins: one per numeric column, one per level of a text column, plus the entries
/// of sparse columns.
std::size_t feature_count(const TrainingTable& table) {
  std::size_t count = 0, entries = 0;
  for (const std::size_t c : table.columns) {
    const data::Column& column = table.table().columns[c];
    if (column.sparse)
      entries += column.sparse->rows.size();
    else
      count += std::max<std::size_t>(1, column.levels.size());
  }
  return std::max<std::size_t>(1, count + entries / std::max<std::size_t>(1, table.table().rows()));
}

}  // namespace

HeldOutFolds::HeldOutFolds(const ChoiceTask& task, std::size_t max_rows, std::size_t max_folds)
    : task_(task),
      rows_(task.rows.begin(), task.rows.end()),
      weights_(task.table.weights.begin(), task.table.weights.end()) {
  if (rows_.size() > max_rows) {
    auto drawn = core::Rng(task.fit.config.seed, 0, core::Purpose::choice).choose(rows_.size(), max_rows);
    for (std::size_t& i : drawn) i = rows_[i];
    rows_ = std::move(drawn);
  }
  drawn_ = rows_.size();
  if (task.table.shared) gather_rows();
  if (rows_.size() <= max_sorted_rows && !task.fit.custom_loss && task.table.offsets.empty()) {
    merge_equal_rows({table().table(), table().columns, table().targets}, rows_, weights_);
  }
  if (rows_.size() >= min_rows_to_choose) split(max_folds);
}

void HeldOutFolds::gather_rows() {
  gathered_.emplace(*task_.table.shared, task_.table, rows_);
  rows_ = all_rows(rows_.size());
  weights_ = gathered_->table().weights;
}

void HeldOutFolds::split(std::size_t max_folds) {
  const core::Matrix<double>& targets = table().targets;
  const auto label = [&](std::size_t row) { return static_cast<std::size_t>(targets(row, 0)); };
  std::vector<std::size_t> count(task_.fit.model.classes.size(), 0);
  if (!count.empty())
    for (const std::size_t row : rows_) ++count[label(row)];
  std::vector<std::size_t> common, rare;
  for (const std::size_t row : rows_) (count.empty() || count[label(row)] >= folds ? common : rare).push_back(row);
  if (common.size() < min_rows_to_choose) return;

  std::vector<double> labels;
  if (!count.empty())
    for (const std::size_t row : common) labels.push_back(targets(row, 0));
  splits_ = data::k_folds(common.size(), labels, folds, task_.fit.config.seed, 0);
  const std::size_t needed = (enough_held_out_rows * folds + common.size() - 1) / common.size();
  const std::size_t affordable = max_numbers_in_folds / (common.size() * feature_count(table()));
  splits_.resize(std::clamp<std::size_t>(std::min(needed, affordable), 1, std::min(folds, max_folds)));
  for (data::Split& split : splits_) {
    data::map_to_rows(split, common);
    split.train.insert(split.train.end(), rare.begin(), rare.end());
  }
}

std::size_t HeldOutFolds::held_out_rows() const {
  std::size_t rows = 0;
  for (const data::Split& split : splits_) rows += split.test.size();
  return rows;
}

const std::vector<HeldOutFold>& HeldOutFolds::encoded(std::uint64_t bins) {
  auto [place, is_new] = encoded_.try_emplace(bins);
  if (!is_new) return place->second;
  const TrainingTable& table = this->table();
  // One scale for all folds makes their losses comparable.
  const TargetScale scale = target_scale({table.targets, weights_, table.offsets}, rows_, task_.fit.config);
  for (const data::Split& split : splits_) {
    HeldOutFold& fold = place->second.emplace_back(HeldOutFold{task_.fit.model, {}});
    fold.model.target_shift = scale.shift;
    fold.model.target_scale = scale.scale;
    fold.model.encoder = data::Encoder::fit(table.table(), table.columns,
                                            {split.train, weights_, {&table.targets, task_.fit.model.classes.size()}},
                                            {.bins = static_cast<std::size_t>(bins)}, &task_.workers);
    // A network without units: the metrics of the fold's scores read the number of outputs from it.
    const std::vector<double> start(task_.fit.outputs, 0.0);
    fold.model.network = {fold.model.encoder.features(), activation::Activation::named(task_.fit.config.activation),
                          start};
    fold.rows = encode_split({.source = {table.table()},
                              .targets = table.targets,
                              .weights = weights_,
                              .offsets = table.offsets,
                              .model = fold.model,
                              .config = task_.fit.config,
                              .workers = task_.workers},
                             split);
  }
  return place->second;
}

}  // namespace accrete::boosting
