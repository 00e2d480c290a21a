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
#include "tests/thrown_message.hpp"

namespace accrete::core::mapped_test {
namespace {

namespace fs = std::filesystem;

/// Sets $TMPDIR to an empty folder.
class Mapped : public testing::Test {
 protected:
  Mapped() {
    std::string pattern = (fs::temp_directory_path() / "accrete-mapped-test-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    if (const char* previous = ::getenv("TMPDIR")) previous_ = previous;
    ::setenv("TMPDIR", folder_.c_str(), 1);
  }
  ~Mapped() override {
    previous_ ? ::setenv("TMPDIR", previous_->c_str(), 1) : ::unsetenv("TMPDIR");
    fs::remove_all(folder_);
  }

  /// Number of files in the folder that this process has mapped, including unlinked ones.
  std::size_t mapped_files() const {
    std::ifstream maps("/proc/self/maps");
    std::size_t count = 0;
    for (std::string line; std::getline(maps, line);) count += line.find(folder_.string()) != line.npos;
    return count;
  }

  fs::path folder_;
  std::optional<std::string> previous_;
};

TEST_F(Mapped, StoresAColumnInAnUnlinkedFile) {
  {
    FloatColumn numbers = mapped_column(100'000);
    EXPECT_TRUE(numbers.is_mapped());
    EXPECT_EQ(mapped_files(), 1u);
    EXPECT_TRUE(fs::is_empty(folder_));
    EXPECT_EQ(numbers, std::vector<float>(100'000));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
    for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], static_cast<float>(i));
  }
  EXPECT_EQ(mapped_files(), 0u);
}

TEST_F(Mapped, KeepsTheStorageOnCopyMoveAndSwap) {
  FloatColumn mapped = mapped_column(2000), plain(std::vector<float>{1, 2, 3});
  EXPECT_FALSE(plain.is_mapped());
  EXPECT_EQ(mapped_files(), 1u);
  mapped[7] = 5.0f;
  FloatColumn copy = mapped;
  EXPECT_TRUE(copy.is_mapped());
  EXPECT_EQ(copy, mapped);
  EXPECT_EQ(mapped_files(), 2u);
  const float* const data = copy.data();
  plain = std::move(copy);
  EXPECT_TRUE(plain.is_mapped());
  EXPECT_EQ(plain.data(), data);
  FloatColumn other;
  other = plain;
  EXPECT_TRUE(other.is_mapped());
  EXPECT_EQ(other[7], 5.0f);
  FloatColumn empty;
  std::swap(other, empty);
  EXPECT_TRUE(empty.is_mapped());
  EXPECT_FALSE(other.is_mapped());
  empty.push_back(1.0f);  // reallocates in a file
  EXPECT_EQ(empty.size(), 2001u);
  EXPECT_EQ(empty[7], 5.0f);
  mapped = plain = empty = {};
  EXPECT_EQ(mapped_files(), 0u);
}

TEST_F(Mapped, NamesTheFolderThatIsNotWritable) {
  const std::string none = (folder_ / "none").string();
  ::setenv("TMPDIR", none.c_str(), 1);
  EXPECT_EQ(thrown_message<FileError>([] { mapped_column(3 << 18); }),
            "cannot map a temporary file of 4 MiB in '" + none +
                "': No such file or directory; set TMPDIR to use another folder");
}

TEST_F(Mapped, RejectsAFileThatDoesNotFitOnTheDisk) {
  EXPECT_THROW(map_temporary(std::size_t{1} << 60), FileError);
  EXPECT_TRUE(fs::is_empty(folder_));
  EXPECT_THROW(StorageAllocator<float>(Storage::file).allocate(static_cast<std::size_t>(-1) / 2), std::bad_alloc);
}

TEST_F(Mapped, StoresALargeMatrixInAFileIfMemoryIsShort) {
  constexpr std::size_t rows = 100'000, cols = 64;
  {
    const TiledMatrix plain(rows, cols);
    EXPECT_EQ(mapped_files(), 0u);
    const FreeMemoryOverride limited(rows * cols * sizeof(float) / 2);
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

TEST(FreeMemory, ReportsTheSystemValueUnlessOverridden) {
  EXPECT_GT(free_memory(), std::size_t{1} << 20);
  {
    const FreeMemoryOverride fixed(5);
    EXPECT_EQ(free_memory(), 5u);
    const PendingMemory pending(3);
    EXPECT_EQ(free_memory(), 8u);
  }
  EXPECT_GT(free_memory(), std::size_t{1} << 20);
}

}  // namespace
}  // namespace accrete::core::mapped_test
