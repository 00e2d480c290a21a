#include "accrete/data/encoder/number_grid.hpp"

#include <bit>
#include <cmath>
#include <numeric>

namespace accrete::data {

NumberGrid::NumberGrid(std::span<const float> knots) {
  numbers_.push_back(knots.front());
  for (std::size_t k = 1; k < knots.size(); ++k) {
    numbers_.push_back(std::midpoint(knots[k - 1], knots[k]));
    numbers_.push_back(knots[k]);
  }
  for (std::size_t p = 1; p < numbers_.size(); ++p) bounds_.push_back(std::midpoint(numbers_[p - 1], numbers_[p]));
}

/// Branch-free binary search, because half of its branches would be mispredicted.
std::size_t NumberGrid::position_of(float x) const {
  if (std::isnan(x)) return size();
  const std::size_t count = bounds_.size();
  std::size_t position = 0;
  for (std::size_t step = std::bit_floor(count); step > 0; step /= 2) {
    const std::size_t next = position + step;
    position = next <= count && bounds_[next <= count ? next - 1 : 0] <= x ? next : position;
  }
  return position;
}

}  // namespace accrete::data
