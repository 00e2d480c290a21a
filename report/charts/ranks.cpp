#include "report/charts/ranks.hpp"

#include <algorithm>
#include <numeric>

namespace accrete::report {
namespace {

/// The first row whose bars all end before this one starts.
std::size_t free_level(const std::vector<RankGroup>& before, double low) {
  for (std::size_t level = 0;; ++level)
    if (std::ranges::none_of(before, [&](const RankGroup& g) { return g.level == level && g.high >= low; }))
      return level;
}

}  // namespace

std::vector<RankGroup> rank_groups(std::span<const double> ranks, double critical) {
  std::vector<double> sorted(ranks.begin(), ranks.end());
  std::ranges::sort(sorted);
  std::vector<RankGroup> groups;
  std::size_t reached = 0;  // end of the last group
  for (std::size_t first = 0; first < sorted.size(); ++first) {
    std::size_t last = first;
    while (last < sorted.size() && sorted[last] - sorted[first] < critical) ++last;
    if (last - first < 2 || last <= reached) continue;
    reached = last;
    groups.push_back({sorted[first], sorted[last - 1], free_level(groups, sorted[first])});
  }
  return groups;
}

RankLayout rank_layout(const Ranks& ranks) {
  std::vector<std::size_t> order(ranks.ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return ranks.ranks[i]; });
  RankLayout layout;
  const std::size_t left = (order.size() + 1) / 2;
  for (std::size_t place = 0; place < order.size(); ++place)
    layout.leaders.push_back({ranks.names[order[place]], ranks.ranks[order[place]], place < left,
                              place < left ? place : order.size() - 1 - place});
  layout.groups = rank_groups(ranks.ranks, ranks.critical);
  for (const RankGroup& group : layout.groups) layout.levels = std::max(layout.levels, group.level + 1);
  return layout;
}

}  // namespace accrete::report
