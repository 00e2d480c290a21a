#pragma once
// Which place a text has in a list of distinct texts. A column of numbers that is read as text has about as many levels
// as rows: the index keeps four bytes for each, and the text only once, in the list itself.

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
  /// For a list that is empty and will hold `most` texts or fewer; both the list and the index stay in place.
  LevelIndex(std::vector<std::string>& levels, std::size_t most)
      : levels_(levels), slots_(std::bit_ceil(most + most / 2 + 1), empty) {
    levels_.reserve(most);
  }

  /// The text's place; a new one is put at the end of the list.
  std::int32_t place_of(std::string_view text) {
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
  std::vector<std::int32_t> slots_;  ///< at most two thirds are taken, so that a search ends soon
};

}  // namespace accrete::io
