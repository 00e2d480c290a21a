#include "accrete/data/encoder/known_levels.hpp"

#include "accrete/data/encoder/level_numbers.hpp"

namespace accrete::data {

KnownLevels::KnownLevels(const Input& input) : numbers_(levels_by_number(input)), floats_(levels_by_float(numbers_)) {
  texts_.reserve(input.levels.size());
  for (std::size_t l = 0; l < input.levels.size(); ++l) texts_.emplace(input.levels[l], static_cast<float>(l));
}

float KnownLevels::of_text(std::string_view text) const {
  if (const auto same = texts_.find(text); same != texts_.end()) return same->second;
  const auto number = number_of_text(text);
  const auto found = number ? numbers_.find(*number) : numbers_.end();
  return found == numbers_.end() ? unseen_level : found->second;
}

float KnownLevels::of_number(float number) const {
  const auto found = floats_.find(number);
  return found == floats_.end() ? unseen_level : found->second;
}

}  // namespace accrete::data
