#include "accrete/core/mapped.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "accrete/core/error.hpp"
#include "accrete/core/tiled.hpp"

namespace accrete::core {
namespace {

namespace fs = std::filesystem;

/// $TMPDIR is a folder of the test's own.
class Mapped : public testing::Test {
 protected:
  Mapped() {
    std::string pattern = (fs::temp_directory_path() / "accrete-mapped-test-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    if (const char* was = ::getenv("TMPDIR")) was_ = was;
    ::setenv("TMPDIR", folder_.c_str(), 1);
  }
  ~Mapped() override {
    was_ ? ::setenv("TMPDIR", was_->c_str(), 1) : ::unsetenv("TMPDIR");
    fs::remove_all(folder_);
  }

  /// Files of the folder that this process has mapped, named or not.
  std::size_t mapped_files() const {
    std::ifstream maps("/proc/self/maps");
    std::size_t count = 0;
    for (std::string line; std::getline(maps, line);) count += line.find(folder_.string()) != line.npos;
    return count;
  }

  fs::path folder_;
  std::optional<std::string> was_;
};

TEST_F(Mapped, NumbersLieInAFileWithoutAName) {
  {
    Numbers numbers = mapped_numbers(100'000);
    EXPECT_TRUE(numbers.is_mapped());
    EXPECT_EQ(mapped_files(), 1u);
    EXPECT_TRUE(fs::is_empty(folder_));
    EXPECT_EQ(numbers, std::vector<float>(100'000));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
    for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], static_cast<float>(i));
  }
  EXPECT_EQ(mapped_files(), 0u);
}

TEST_F(Mapped, CopiesMovesAndSwapsLieWhereTheirOriginDoes) {
  Numbers mapped = mapped_numbers(2000), plain(std::vector<float>{1, 2, 3});
  EXPECT_FALSE(plain.is_mapped());
  EXPECT_EQ(mapped_files(), 1u);
  mapped[7] = 5.0f;
  Numbers copy = mapped;
  EXPECT_TRUE(copy.is_mapped());
  EXPECT_EQ(copy, mapped);
  EXPECT_EQ(mapped_files(), 2u);
  const float* const place = copy.data();
  plain = std::move(copy);
  EXPECT_TRUE(plain.is_mapped());
  EXPECT_EQ(plain.data(), place);
  Numbers other;
  other = plain;
  EXPECT_TRUE(other.is_mapped());
  EXPECT_EQ(other[7], 5.0f);
  Numbers empty;
  std::swap(other, empty);
  EXPECT_TRUE(empty.is_mapped());
  EXPECT_FALSE(other.is_mapped());
  empty.push_back(1.0f);  // grows within files
  EXPECT_EQ(empty.size(), 2001u);
  EXPECT_EQ(empty[7], 5.0f);
  mapped = plain = empty = {};
  EXPECT_EQ(mapped_files(), 0u);
}

TEST_F(Mapped, AFolderThatCannotBeWrittenToIsNamed) {
  const std::string none = (folder_ / "none").string();
  ::setenv("TMPDIR", none.c_str(), 1);
  try {
    mapped_numbers(3 << 18);
    FAIL();
  } catch (const FileError& error) {
    EXPECT_EQ(error.what(), "cannot keep 4 MiB that memory has no room for in '" + none +
                                "': No such file or directory; TMPDIR names another folder");
  }
}

TEST_F(Mapped, AFileThatHasNoRoomIsRefusedBeforeItIsUsed) {
  EXPECT_THROW(map_temporary(std::size_t{1} << 60), FileError);
  EXPECT_TRUE(fs::is_empty(folder_));
  EXPECT_THROW(RoomAllocator<float>(Room::file).allocate(static_cast<std::size_t>(-1) / 2), std::bad_alloc);
}

TEST_F(Mapped, ALargeMatrixGoesToAFileWhenMemoryIsShort) {
  constexpr std::size_t rows = 100'000, cols = 64;
  {
    const TiledMatrix plain(rows, cols);
    EXPECT_EQ(mapped_files(), 0u);
    const PretendedFreeMemory pretended(rows * cols * sizeof(float) / 2);
    const TiledMatrix small(1000, cols);
    EXPECT_EQ(mapped_files(), 0u);
    TiledMatrix large(rows, cols);
    EXPECT_EQ(mapped_files(), 1u);
    EXPECT_TRUE(fs::is_empty(folder_));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large.tile(0)) % 64, 0u);
    for (std::size_t r = 0; r < rows; r += 997) {
      for (std::size_t c = 0; c < cols; ++c) ASSERT_EQ(large.at(r, c), 0.0f);
      large.at(r, 3) = static_cast<float>(r);
    }
    const TiledMatrix moved = std::move(large);
    for (std::size_t r = 0; r < rows; r += 997) ASSERT_EQ(moved.at(r, 3), static_cast<float>(r));
  }
  EXPECT_EQ(mapped_files(), 0u);
}

TEST(FreeMemory, IsWhatTheSystemSays) {
  EXPECT_GT(free_memory(), std::size_t{1} << 20);
  {
    const PretendedFreeMemory pretended(5);
    EXPECT_EQ(free_memory(), 5u);
    const MemoryToCome to_come(3);
    EXPECT_EQ(free_memory(), 8u);
  }
  EXPECT_GT(free_memory(), std::size_t{1} << 20);
}

}  // namespace
}  // namespace accrete::core
