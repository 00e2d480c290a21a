#pragma once
// How thoroughly to run an experiment.

#include <cstddef>
#include <span>
#include <string_view>

namespace accrete::experiment {

struct Profile {
  std::string_view name;
  std::string_view summary;
  std::size_t repeats, outer, inner;  ///< times to redraw the outer folds; outer folds; inner folds to choose on
  bool full_grids;                    ///< true: every setting of the paper; false: a subset
};

/// `quick`, then `paper`.
std::span<const Profile> profiles();

/// Throws UsageError that lists the names.
const Profile& profile_named(std::string_view name);

}  // namespace accrete::experiment
