#include "accrete/io/level_index.hpp"

#include <gtest/gtest.h>

#include <unordered_map>

#include "accrete/core/random.hpp"

namespace accrete::io {
namespace {

TEST(LevelIndex, NumbersTextsByFirstAppearance) {
  std::vector<std::string> levels;
  LevelIndex index(levels, 3);
  EXPECT_EQ(index.place_of("b"), 0);
  EXPECT_EQ(index.place_of(""), 1);
  EXPECT_EQ(index.place_of("b"), 0);
  EXPECT_EQ(index.place_of("a"), 2);
  EXPECT_EQ(levels, (std::vector<std::string>{"b", "", "a"}));
}

TEST(LevelIndex, AgreesWithAMapWhenFull) {
  constexpr std::size_t most = 5000;
  std::vector<std::string> levels;
  LevelIndex index(levels, most);
  std::unordered_map<std::string, std::int32_t> wanted;
  core::Rng rng(1, 0, core::Purpose::generator);
  while (wanted.size() < most) {
    const std::string text = std::to_string(rng.below(2 * most));
    const auto size = static_cast<std::int32_t>(wanted.size());
    ASSERT_EQ(index.place_of(text), wanted.try_emplace(text, size).first->second);
  }
  EXPECT_EQ(levels.size(), most);
}

TEST(LevelIndex, OfNothing) {
  std::vector<std::string> levels;
  LevelIndex index(levels, 0);
  EXPECT_TRUE(levels.empty());
}

}  // namespace
}  // namespace accrete::io
