#pragma once
// The levels of a category, found by their text or number.

#include <string_view>
#include <unordered_map>

#include "accrete/data/input.hpp"

namespace accrete::data {

inline constexpr float unseen_level = -1.0f;

/// Has an entry per level; build it once for many tables. Thread-safe.
class KnownLevels {
 public:
  /// Keeps references to the text of the input's levels.
  explicit KnownLevels(const Input& input);

  /// The index of the level with this text; otherwise of a level that is the same number ("1.0" in one file is "1" in
  /// another); otherwise unseen_level.
  float of_text(std::string_view text) const;
  /// The same for a number in single precision.
  float of_number(float number) const;

 private:
  std::unordered_map<std::string_view, float> texts_;
  std::unordered_map<double, float> numbers_;
  std::unordered_map<float, float> floats_;
};

}  // namespace accrete::data
