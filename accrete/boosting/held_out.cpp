#include "accrete/boosting/held_out.hpp"

#include <algorithm>
#include <utility>

#include "accrete/boosting/distinct_rows.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/core/random.hpp"

namespace accrete::boosting {
namespace {

constexpr std::size_t folds = 5;
constexpr std::size_t most_in_parts = 1'000'000;  // of all parts: rows that come to so many features are held out once

/// About how many features the columns make as they are: one for a number, one for each level of a text.
std::size_t width_of(const ChoiceTask& task) {
  std::size_t width = 0;
  for (const std::size_t c : task.columns) width += std::max<std::size_t>(1, task.table.columns[c].levels.size());
  return width;
}

}  // namespace

HeldOut::HeldOut(const ChoiceTask& task)
    : task_(task), rows_(task.rows.begin(), task.rows.end()), weights_(task.weights.begin(), task.weights.end()) {
  if (rows_.size() > most_rows_to_choose) {
    auto drawn = core::Rng(task.config.seed, 0, core::Purpose::choice).choose(rows_.size(), most_rows_to_choose);
    for (std::size_t& i : drawn) i = rows_[i];
    rows_ = std::move(drawn);
  } else if (rows_.size() <= most_ordered_rows) {
    join_equal_rows({task.table, task.columns, task.targets}, rows_, weights_);
  }
  if (rows_.size() >= least_rows_to_choose) cut();
}

void HeldOut::cut() {
  const auto label = [&](std::size_t row) { return static_cast<std::size_t>(task_.targets(row, 0)); };
  std::vector<std::size_t> count(task_.base.classes.size(), 0);
  if (!count.empty())
    for (const std::size_t row : rows_) ++count[label(row)];
  std::vector<std::size_t> common, rare;
  for (const std::size_t row : rows_) (count.empty() || count[label(row)] >= folds ? common : rare).push_back(row);
  if (common.size() < least_rows_to_choose) return;

  std::vector<double> labels;
  if (!count.empty())
    for (const std::size_t row : common) labels.push_back(task_.targets(row, 0));
  splits_ = data::k_folds(common.size(), labels, folds, task_.config.seed, 0);
  const std::size_t needed = (enough_held_out * folds + common.size() - 1) / common.size();
  const std::size_t affordable = most_in_parts / (common.size() * width_of(task_));
  splits_.resize(std::clamp<std::size_t>(std::min(needed, affordable), 1, folds));
  for (data::Split& split : splits_) {
    for (auto* list : {&split.train, &split.test})
      for (std::size_t& i : *list) i = common[i];
    split.train.insert(split.train.end(), rare.begin(), rare.end());
  }
}

std::size_t HeldOut::held_out_rows() const {
  std::size_t rows = 0;
  for (const data::Split& split : splits_) rows += split.test.size();
  return rows;
}

const std::vector<Part>& HeldOut::encoded(std::uint64_t bins) {
  auto [place, fresh] = encoded_.try_emplace(bins);
  if (!fresh) return place->second;
  // One scale for all parts, so that their losses compare.
  const TargetScale scale = target_scale({task_.targets, weights_}, rows_, task_.config);
  for (const data::Split& split : splits_) {
    Part& part = place->second.emplace_back(Part{task_.base, {}});
    part.model.target_shift = scale.shift;
    part.model.target_scale = scale.scale;
    part.model.encoder = data::Encoder::fit(task_.table, task_.columns, {split.train, weights_},
                                            {.bins = static_cast<std::size_t>(bins)}, &task_.workers);
    part.rows = encode_split({{task_.table}, task_.targets, weights_, part.model, task_.config, task_.workers}, split);
  }
  return place->second;
}

}  // namespace accrete::boosting
