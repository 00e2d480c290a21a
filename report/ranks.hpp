#pragma once
// Where things go in a diagram of average ranks (Demšar, 2006): the best half of the methods has its names on the left,
// the others on the right; the line of each goes down from the axis and out to its name, so that no two lines cross.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/chart.hpp"

namespace accrete::report {

/// Methods of which no two differ, as a bar from the lowest to the highest rank.
struct RankGroup {
  double low = 0.0, high = 0.0;
  std::size_t level = 0;  ///< bars of one level do not touch
  bool operator==(const RankGroup&) const = default;
};

/// A name and the line to it.
struct RankLeader {
  std::string name;
  double rank = 0.0;
  bool left = false;
  std::size_t level = 0;  ///< from the top
};

struct RankLayout {
  std::vector<RankLeader> leaders;  ///< best first
  std::vector<RankGroup> groups;    ///< best first
  std::size_t levels = 0;           ///< of the groups
};

/// The largest groups of at least two whose ranks lie less than the critical distance apart; none is part of another.
std::vector<RankGroup> rank_groups(std::span<const double> ranks, double critical);

RankLayout lay_out(const Ranks& ranks);

}  // namespace accrete::report
