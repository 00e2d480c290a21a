#include "accrete/data/encoder/level_numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace accrete::data::level_numbers_test {
namespace {

TEST(LevelNumbers, PrefersTheShortestSpelling) {
  const auto levels =
      levels_by_number({.name = "zone", .kind = Column::Kind::text, .levels = {"007", "1.0", "7", "x"}});
  EXPECT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels.at(7.0f), 2.0f);
  EXPECT_EQ(levels.at(1.0f), 1.0f);
}

TEST(LevelNumbers, SpellsANumberInWaysThatReadAsTheSameNumber) {
  for (const float number : {0.0f, 1.0f, -3.0f, 0.5f, -0.125f, 12.5f, 1e20f, 3e-9f}) {
    const auto spellings = number_spellings(number);
    for (const std::string& text : spellings) EXPECT_EQ(number_of_text(text), number) << text;
  }
  const auto one = number_spellings(1.0f);
  for (const char* text : {"1", "1.", "1.0", "1.000000", "01"})
    EXPECT_NE(std::ranges::find(one, text), one.end()) << text;
  const auto half = number_spellings(-0.5f);
  for (const char* text : {"-0.5", "-.5", "-0.50"}) EXPECT_NE(std::ranges::find(half, text), half.end()) << text;
}

}  // namespace
}  // namespace accrete::data::level_numbers_test
