#include "accrete/model/early_exit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accrete::model {

std::size_t class_of(std::span<const double> scores) {
  if (scores.size() == 1) return scores[0] > 0.0 ? 1 : 0;
  return static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
}

double margin_of(std::size_t label, std::span<const double> scores) {
  if (scores.size() == 1) return label == 1 ? scores[0] : -scores[0];
  double other = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < scores.size(); ++k)
    if (k != label) other = std::max(other, scores[k]);
  return scores[label] - other;
}

double margin(std::span<const double> scores) {
  return margin_of(class_of(scores), scores);
}

double movement(std::span<const double> from, std::span<const double> to, std::span<const double> tolerances) {
  double largest = 0.0;
  for (std::size_t k = 0; k < to.size(); ++k) largest = std::max(largest, std::abs(to[k] - from[k]) / tolerances[k]);
  return largest;
}

}  // namespace accrete::model
