#include "accrete/data/encoder/level_numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "accrete/data/encoder/known_levels.hpp"

namespace accrete::data::level_numbers_test {
namespace {

TEST(LevelNumbers, PrefersTheShortestSpelling) {
  const auto levels =
      levels_by_number({.name = "zone", .kind = Column::Kind::text, .levels = {"007", "1.0", "7", "x"}});
  EXPECT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels.at(7.0), 2.0f);
  EXPECT_EQ(levels.at(1.0), 1.0f);
}

TEST(LevelNumbers, SpellsANumberInWaysThatReadAsTheSameNumber) {
  for (const double number : {0.0, 1.0, -3.0, 0.5, -0.125, 12.5, 1e20, 3e-9}) {
    const auto spellings = number_spellings(number);
    for (const std::string& text : spellings) EXPECT_EQ(number_of_text(text), number) << text;
  }
  const auto one = number_spellings(1.0);
  for (const char* text : {"1", "1.", "1.0", "1.000000", "01"})
    EXPECT_NE(std::ranges::find(one, text), one.end()) << text;
  const auto half = number_spellings(-0.5);
  for (const char* text : {"-0.5", "-.5", "-0.50"}) EXPECT_NE(std::ranges::find(half, text), half.end()) << text;
}

TEST(KnownLevels, TellsApartNumbersThatAreTheSameInSinglePrecision) {
  const Input shop{
      .name = "shop", .kind = Column::Kind::text, .levels = {"100000001", "100000002", "0.1", "16777216", "200000001"}};
  const KnownLevels known(shop);
  EXPECT_EQ(known.of_text("100000002"), 1.0f);
  EXPECT_EQ(known.of_text("100000002.0"), 1.0f);
  EXPECT_EQ(known.of_text("0.10"), 2.0f);
  for (const char* unseen : {"100000003", "100000000", "16777217"}) EXPECT_EQ(known.of_text(unseen), unseen_level);
  EXPECT_EQ(known.of_number(0.1f), 2.0f);
  EXPECT_EQ(known.of_number(16777216.0f), 3.0f);
  for (const float unseen : {100000000.0f, 200000000.0f}) EXPECT_EQ(known.of_number(unseen), unseen_level);
}

TEST(KnownLevels, MatchesNumbersThatNoDoubleTellsApartAsTextOnly) {
  const Input code{.name = "code", .kind = Column::Kind::text, .levels = {"9007199254740993", "1E40", "1E400"}};
  const KnownLevels known(code);
  EXPECT_EQ(known.of_text("9007199254740993"), 0.0f);
  EXPECT_EQ(known.of_text("1E40"), 1.0f);
  for (const char* unseen : {"9007199254740992", "1E41", "1E500", "inf"})
    EXPECT_EQ(known.of_text(unseen), unseen_level) << unseen;
}

TEST(KnownLevels, HasNoLevelForAFloatThatTwoLevelsRoundTo) {
  const Input x{.name = "x", .kind = Column::Kind::text, .levels = {"0.1000000001", "0.1000000002", "0.5"}};
  const KnownLevels known(x);
  EXPECT_EQ(known.of_number(0.1f), unseen_level);
  EXPECT_EQ(known.of_number(0.5f), 2.0f);
}

}  // namespace
}  // namespace accrete::data::level_numbers_test
