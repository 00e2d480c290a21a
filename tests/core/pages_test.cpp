#include "accrete/core/pages.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "accrete/core/aligned.hpp"

namespace accrete::core::pages_test {
namespace {

TEST(Pages, ReleasesOnlyPagesInsideTheRange) {
  std::vector<int> values(1 << 20, 7);
  release_pages(std::span(values).subspan(1001, 500'000));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i < 1001 || i >= 501'001) {
      ASSERT_EQ(values[i], 7) << i;
    } else {
      ASSERT_TRUE(values[i] == 7 || values[i] == 0) << i;
    }
  std::fill(values.begin(), values.end(), 9);
  for (int x : values) ASSERT_EQ(x, 9);
}

TEST(Pages, KeepsRangesSmallerThanAPage) {
  std::vector<int> values(100, 7);
  release_pages(std::span(values));
  release_pages(std::span<int>());
  EXPECT_EQ(values, std::vector<int>(100, 7));
}

TEST(ZeroedVector, IsZeroAndAlignedAtEverySize) {
  for (const std::size_t size : {1, 15, 1000, 1 << 20}) {
    ZeroedVector<float> values(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % 64, 0u);
    for (float x : values) ASSERT_EQ(x, 0.0f);
    // Dirties the memory for the next allocation.
    std::fill(values.begin(), values.end(), 5.0f);
    const ZeroedVector<float> copy = values;
    EXPECT_EQ(copy, values);
    EXPECT_EQ(copy.back(), 5.0f);
  }
}

TEST(ZeroedVector, ThrowsBadAllocForImpossibleSizes) {
  ZeroedAllocator<float> allocator;
  EXPECT_THROW(allocator.allocate(static_cast<std::size_t>(-1) / 4), std::bad_alloc);
}

}  // namespace
}  // namespace accrete::core::pages_test
