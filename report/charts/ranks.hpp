#pragma once
// Layout of a critical difference diagram (Demšar, 2006): the better half of the methods is labelled on the left, the
// others on the right. A leader line goes from the axis down and out to each label; no two lines cross.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/charts/chart.hpp"

namespace accrete::report {

/// Methods that do not differ significantly: a bar from the lowest to the highest rank.
struct RankGroup {
  double low = 0.0, high = 0.0;
  std::size_t level = 0;  ///< row of the bar; bars in one row do not touch
  bool operator==(const RankGroup&) const = default;
};

/// A label and its line.
struct RankLeader {
  std::string name;
  double rank = 0.0;
  bool left = false;
  std::size_t level = 0;  ///< row, from the top
};

struct RankLayout {
  std::vector<RankLeader> leaders;  ///< best first
  std::vector<RankGroup> groups;    ///< best first
  std::size_t levels = 0;           ///< rows of groups
};

/// Maximal groups of at least two methods whose ranks differ by less than the critical difference.
std::vector<RankGroup> rank_groups(std::span<const double> ranks, double critical);

RankLayout rank_layout(const Ranks& ranks);

}  // namespace accrete::report
