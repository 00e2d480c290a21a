#pragma once
// The grid that binned columns are rounded to for lookup tables: the knots of the bins and the midpoints between them.
// Every feature of the column is then a function of the grid position.

#include <cstddef>
#include <span>
#include <vector>

namespace accrete::data {

class NumberGrid {
 public:
  NumberGrid() = default;
  /// knots: ascending, at least one.
  explicit NumberGrid(std::span<const float> knots);

  std::size_t size() const { return numbers_.size(); }
  float operator[](std::size_t position) const { return numbers_[position]; }
  const float* data() const { return numbers_.data(); }

  /// The position of the nearest grid number; size() if x is missing.
  std::size_t position_of(float x) const;

 private:
  std::vector<float> numbers_;  ///< ascending
  std::vector<float> bounds_;   ///< position p + 1 starts at bounds_[p]
};

}  // namespace accrete::data
