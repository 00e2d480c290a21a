#pragma once
// How thoroughly an experiment is done.

#include <cstddef>
#include <span>
#include <string_view>

namespace accrete::experiment {

struct Profile {
  std::string_view name;
  std::string_view summary;
  std::size_t repeats, outer, inner;  ///< times the outer folds are drawn; outer folds; folds to choose by inside
  bool full_grids;                    ///< every setting of the paper; else some of them
};

/// `quick`, then `paper`.
std::span<const Profile> profiles();

/// Throws UsageError listing the names.
const Profile& profile_named(std::string_view name);

}  // namespace accrete::experiment
