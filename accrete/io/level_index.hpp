#pragma once
// Maps text to codes: indices into a list of distinct texts. Text columns may have about one level per row, so the
// index takes few bytes per level and stores each text only once, in the list itself.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace accrete::io {

class LevelIndex {
 public:
  /// Fills an empty list with at most max_levels texts. Keeps a reference to it.
  LevelIndex(std::vector<std::string>& levels, std::size_t max_levels)
      : levels_(levels), slots_(std::bit_ceil(max_levels + max_levels / 2 + 1), empty) {
    levels_.reserve(max_levels);
  }

  /// The code of the text; appends new text to the list.
  std::int32_t code_of(std::string_view text) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = std::hash<std::string_view>{}(text);; ++at) {
      std::int32_t& slot = slots_[at & mask];
      if (slot == empty) {
        slot = static_cast<std::int32_t>(levels_.size());
        levels_.emplace_back(text);
        return slot;
      }
      if (levels_[static_cast<std::size_t>(slot)] == text) return slot;
    }
  }

 private:
  static constexpr std::int32_t empty = -1;

  std::vector<std::string>& levels_;
  std::vector<std::int32_t> slots_;  ///< open addressing, at most two thirds full
};

}  // namespace accrete::io
