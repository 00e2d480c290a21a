#pragma once
// The numbers that a binned column is rounded to for lookup tables: the knots of its bins and the middles between them.
// A row is then a position on the grid, and every feature of the column is a function of the position.

#include <cstddef>
#include <cstdint>
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

  /// The position of the nearest number; size() if x is missing.
  std::size_t position_of(float x) const;

 private:
  std::vector<float> numbers_;  ///< ascending
  std::vector<float> bounds_;   ///< position p + 1 begins at bounds_[p]
};

}  // namespace accrete::data
