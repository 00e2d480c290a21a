#include "accrete/io/level_index.hpp"

#include <gtest/gtest.h>

#include <unordered_map>

#include "accrete/core/random.hpp"

namespace accrete::io::level_index_test {
namespace {

TEST(LevelIndex, AssignsCodesInOrderOfFirstAppearance) {
  std::vector<std::string> levels;
  LevelIndex index(levels, 3);
  EXPECT_EQ(index.code_of("b"), 0);
  EXPECT_EQ(index.code_of(""), 1);
  EXPECT_EQ(index.code_of("b"), 0);
  EXPECT_EQ(index.code_of("a"), 2);
  EXPECT_EQ(levels, (std::vector<std::string>{"b", "", "a"}));
}

TEST(LevelIndex, AgreesWithAMapWhenFull) {
  constexpr std::size_t max_levels = 5000;
  std::vector<std::string> levels;
  LevelIndex index(levels, max_levels);
  std::unordered_map<std::string, std::int32_t> wanted;
  core::Rng rng(1, 0, core::Purpose::generator);
  while (wanted.size() < max_levels) {
    const std::string text = std::to_string(rng.below(2 * max_levels));
    const auto size = static_cast<std::int32_t>(wanted.size());
    ASSERT_EQ(index.code_of(text), wanted.try_emplace(text, size).first->second);
  }
  EXPECT_EQ(levels.size(), max_levels);
}

TEST(LevelIndex, AcceptsNoLevels) {
  std::vector<std::string> levels;
  LevelIndex index(levels, 0);
  EXPECT_TRUE(levels.empty());
}

}  // namespace
}  // namespace accrete::io::level_index_test
