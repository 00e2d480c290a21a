#include "accrete/io/file_text.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "accrete/core/error.hpp"
#include "accrete/io/csv.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::io::file_text_test {
namespace {

namespace fs = std::filesystem;

class FileTextTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "accrete-text-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string place(const std::string& name) const { return (folder_ / name).string(); }
  std::string put(const std::string& bytes) const {
    std::ofstream(place("x.csv"), std::ios::binary) << bytes;
    return place("x.csv");
  }

  /// The error message for the file.
  static std::string refusal(const std::string& path, std::size_t min_bytes) {
    core::Workers workers(2);
    return thrown_message<core::DataError>(
        [&] { read_csv(path, {.chunk_bytes = 100, .min_mapped_bytes = min_bytes}, workers); });
  }

  fs::path folder_;
};

/// Numbers, quoted text, missing values and two-byte characters.
std::string some_rows(std::size_t rows) {
  std::string text = "a,kind,b\n";
  for (std::size_t r = 0; r < rows; ++r)
    text += std::to_string(r % 97) + (r % 3 ? ",\xC3\xA9t\xC3\xA9," : ",\"q \"\"x\"\"\",") +
            (r % 11 ? std::to_string(0.5 * static_cast<double>(r)) : "") + "\n";
  return text;
}

TEST_F(FileTextTest, EndsInAZeroForEverySize) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  for (const std::size_t size : {std::size_t{1}, page - 1, page, page + 1, 5 * page}) {
    const std::string bytes(size, 'x');
    const FileText text(put(bytes), 1);
    EXPECT_EQ(text.view(), bytes);
    EXPECT_EQ(*(text.view().data() + size), '\0') << size;
    text.release(text.view());
    EXPECT_EQ(text.view(), bytes) << "released and read again";
  }
}

TEST_F(FileTextTest, GivesTheSameTableMappedOrRead) {
  const std::string path = put(some_rows(200'000));  // more than one window of the UTF-8 check
  core::Workers workers(2);
  const data::Table read = read_csv(path, {}, workers), mapped = read_csv(path, {.min_mapped_bytes = 1}, workers);
  ASSERT_EQ(read.columns.size(), mapped.columns.size());
  ASSERT_EQ(read.rows(), 200'000u);
  for (std::size_t c = 0; c < read.columns.size(); ++c) {
    EXPECT_EQ(read.columns[c].kind, mapped.columns[c].kind);
    EXPECT_EQ(read.columns[c].codes, mapped.columns[c].codes);
    EXPECT_EQ(read.columns[c].levels, mapped.columns[c].levels);
  }
  EXPECT_EQ(read.columns[0].numbers, mapped.columns[0].numbers);
}

TEST_F(FileTextTest, GivesTheSameErrorsMappedOrRead) {
  const std::string rows = some_rows(400'000);
  for (const std::string& tail : {std::string("1,2\n"), std::string("1,\xC3,2\n"), std::string("1,x\0,2\n", 7)}) {
    const std::string path = put(rows + tail), wanted = refusal(path, min_mapped_bytes());
    EXPECT_NE(wanted.find("line 400002"), std::string::npos) << wanted;
    EXPECT_EQ(refusal(path, 1), wanted);
  }
}

/// Reading a truncated map would raise SIGBUS, which the program need not handle.
TEST_F(FileTextTest, MapsNoFileUnlessTheProgramAsksForIt) {
  const std::string path = put(std::string(std::size_t{64} << 20, 'x'));
  const FileText text(path);
  ASSERT_EQ(::truncate(path.c_str(), 0), 0);
  EXPECT_EQ(text.view().back(), 'x');
}

TEST_F(FileTextTest, ReadsGzippedFilesIntoMemory) {
  gzFile file = gzopen(place("x.gz").c_str(), "wb");
  const std::string text = some_rows(1000);
  ASSERT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
  gzclose(file);
  EXPECT_EQ(FileText(place("x.gz"), 1).view(), text);
}

TEST_F(FileTextTest, OpensAPipeOnce) {
  ASSERT_EQ(::mkfifo(place("pipe").c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(place("pipe")) << "a\n1\n"; });
  EXPECT_EQ(FileText(place("pipe"), 1).view(), "a\n1\n");
  writer.join();
}

TEST_F(FileTextTest, ReportsUnreadableFiles) {
  EXPECT_THROW(FileText(place("none"), 1), core::FileError);
  EXPECT_THROW(FileText(folder_.string(), 1), core::FileError);
  EXPECT_EQ(FileText(put(""), 1).view(), "");
}

}  // namespace
}  // namespace accrete::io::file_text_test
