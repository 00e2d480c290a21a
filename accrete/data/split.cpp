#include "accrete/data/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"

namespace accrete::data {
namespace {

struct ClassRows {
  double label;
  std::vector<std::size_t> rows;  ///< ascending
};

/// The rows of each class, classes ascending; without labels, one group of all rows.
std::vector<ClassRows> groups_of(std::size_t rows, std::span<const double> labels) {
  if (!labels.empty() && labels.size() != rows)
    throw core::UsageError(fmt::format("split: {} labels for {} rows", labels.size(), rows));
  std::map<double, std::vector<std::size_t>> by_label;
  for (std::size_t r = 0; r < rows; ++r) by_label[labels.empty() ? 0.0 : labels[r]].push_back(r);
  std::vector<ClassRows> groups;
  groups.reserve(by_label.size());
  for (auto& [label, members] : by_label) groups.push_back({label, std::move(members)});
  return groups;
}

/// Test rows of each group: its proportional share rounded down, plus one for the largest remainders. A group keeps one
/// training row as long as another group can give one, so that rare classes stay in the training rows.
std::vector<std::size_t> test_counts(const std::vector<ClassRows>& groups, std::size_t rows, std::size_t test) {
  std::vector<std::size_t> share, order(groups.size());
  for (const ClassRows& group : groups) share.push_back(test * group.rows.size() / rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t g) {
    const std::size_t size = groups[g].rows.size();
    return std::pair(share[g] + 1 == size, rows - test * size % rows);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::size_t left = test - std::accumulate(share.begin(), share.end(), std::size_t{0});
  for (std::size_t i = 0; i < left; ++i) ++share[order[i]];
  return share;
}

Split split_by(const std::vector<char>& in_test) {
  Split split;
  for (std::size_t r = 0; r < in_test.size(); ++r) (in_test[r] ? split.test : split.train).push_back(r);
  return split;
}

}  // namespace

void map_to_rows(Split& split, std::span<const std::size_t> rows) {
  for (auto* part : {&split.train, &split.test})
    for (std::size_t& i : *part) i = rows[i];
}

Split holdout(std::size_t rows, std::span<const double> labels, double fraction, std::uint64_t seed) {
  if (!(fraction > 0.0 && fraction < 1.0))
    throw core::UsageError(fmt::format("the held-out fraction is {}; must be between 0 and 1", fraction));
  if (rows < 2) throw core::UsageError(fmt::format("{} rows cannot be split; at least 2 are needed", rows));
  const auto groups = groups_of(rows, labels);
  const auto wanted = static_cast<std::size_t>(std::llround(fraction * static_cast<double>(rows)));
  const auto share = test_counts(groups, rows, std::clamp<std::size_t>(wanted, 1, rows - 1));

  core::Rng rng(seed, 0, core::Purpose::validation);
  std::vector<char> in_test(rows, 0);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const std::size_t i : rng.choose(groups[g].rows.size(), share[g])) in_test[groups[g].rows[i]] = 1;
  return split_by(in_test);
}

std::vector<Split> k_folds(std::size_t rows, std::span<const double> labels, std::size_t folds, std::uint64_t seed,
                           std::uint64_t repeat) {
  if (folds < 2 || folds > rows)
    throw core::UsageError(
        fmt::format("{} folds of {} rows; must be at least 2 folds and at most one per row", folds, rows));
  auto groups = groups_of(rows, labels);
  if (std::ranges::all_of(groups, [&](const ClassRows& group) { return group.rows.size() < folds; }))
    throw core::DataError(fmt::format("every class has fewer rows than the {} folds; use fewer folds", folds));
  core::Rng rng(seed, repeat, core::Purpose::folds);
  std::vector<std::size_t> fold_of(rows);
  // Rows are dealt to the folds in rotation; each class continues at the fold after the previous class, which balances
  // total sizes.
  std::size_t next = 0;
  for (ClassRows& group : groups) {
    rng.shuffle(std::span(group.rows));
    for (const std::size_t row : group.rows) fold_of[row] = next++ % folds;
  }

  std::vector<Split> splits(folds);
  for (std::size_t f = 0; f < folds; ++f)
    for (std::size_t r = 0; r < rows; ++r) (fold_of[r] == f ? splits[f].test : splits[f].train).push_back(r);
  return splits;
}

}  // namespace accrete::data
