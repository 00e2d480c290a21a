// Errors of the CSV reader: every message is one line that names file and line. Reading and writing of files.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "accrete/core/error.hpp"
#include "accrete/io/csv.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::io::csv_refusal_test {
namespace {

namespace fs = std::filesystem;

void parse(const std::string& text, const CsvOptions& options = {}, std::size_t threads = 1) {
  core::Workers workers(threads);
  parse_csv(text, "x.csv", options, workers);
}

std::string refusal(const std::string& text, const CsvOptions& options = {}, std::size_t threads = 1) {
  return thrown_message<core::DataError>([&] { parse(text, options, threads); });
}

TEST(CsvRefusal, RejectsEmptyFilesAndMissingRows) {
  for (const char* text : {"", "\n", "  \n\r\n", "\xEF\xBB\xBF"}) EXPECT_EQ(refusal(text), "x.csv: the file is empty");
  for (const char* text : {"a,b", "a,b\n", "a,b\r\n\n  \n"})
    EXPECT_EQ(refusal(text), "x.csv: no data rows after the header");
}

TEST(CsvRefusal, RejectsDuplicateAndUnknownNames) {
  EXPECT_EQ(refusal("\na,b, a\n1,2,3\n"), "x.csv: line 2 names two columns 'a'");
  EXPECT_EQ(refusal("c1,\n1,2\n"), "x.csv: line 1 names two columns 'c1'");
}

TEST(CsvRefusal, RejectsRaggedRows) {
  EXPECT_EQ(refusal("a,b,c,d\n1,2,3,4\n\n1,2,3\n"), "x.csv: line 4 has 3 fields, the header has 4");
  EXPECT_EQ(refusal("a,b\n1,2\n1,2,3"), "x.csv: line 3 has 3 fields, the header has 2");
  EXPECT_EQ(refusal("a,b\nx\n1,2"), "x.csv: line 2 has 1 field, the header has 2");
  EXPECT_EQ(refusal("a,b\n1,\"x\ny\"\n1,2,\n"), "x.csv: line 4 has 3 fields, the header has 2");
  EXPECT_EQ(refusal("1,2\n1\n", {.header = false}), "x.csv: line 2 has 1 field, the first row has 2");
}

TEST(CsvRefusal, RejectsBrokenQuotes) {
  EXPECT_EQ(refusal("a,b\n1,2\n3,\"four\n5,6\n7,8\n"), "x.csv: line 3 opens a quote that is never closed");
  EXPECT_EQ(refusal("a,b\n1,\"two\"\"\n"), "x.csv: line 2 opens a quote that is never closed");
  EXPECT_EQ(refusal("\"a,b\n1,2\n"), "x.csv: line 1 opens a quote that is never closed");
  EXPECT_EQ(refusal("a,b\n1,\"two\"x\n"), "x.csv: line 2 has text after a closing quote");
}

TEST(CsvRefusal, RejectsBinaryFiles) {
  const std::string text("a,b\n1,2\n3,\0\n", 12);
  EXPECT_EQ(refusal(text), "x.csv: line 3 contains a NUL byte; the file must be text in UTF-8");
}

TEST(CsvRefusal, RejectsInvalidUtf8) {
  const std::string why = ", which is not UTF-8; save the file as UTF-8";
  EXPECT_EQ(refusal("caf\xE9,b\n1,2\n"), "x.csv: line 1 contains the byte 0xE9" + why);
  EXPECT_EQ(refusal("a,b\n1,x\n2,caf\xE9\n"), "x.csv: line 3 contains the byte 0xE9" + why);
  for (const char* wrong : {"\xC0\xAF", "\xC3", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80", "\xE2\x82", "\xFF"})
    EXPECT_TRUE(refusal("a,b\n1,long enough " + std::string(wrong) + "\n").ends_with(why));
  for (const char* right : {"caf\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x8C\xB1", "\xEF\xBF\xBF", "\xF4\x8F\xBF\xBF"})
    EXPECT_NO_THROW(parse("a,b\n1," + std::string(right) + "\n"));
}

TEST(CsvRefusal, RejectsInfinityInNumericColumnsOnly) {
  const std::string at = ": the value is infinite or too large for float32";
  EXPECT_EQ(refusal("a,b\n1,2\n3,inf\n-inf,4\n"), "x.csv: row 2 (counting from 1), column 'b'" + at);
  for (const std::size_t bytes : {1, 1000})
    EXPECT_EQ(refusal("a,b\n1,2\n-inf,3\n4,inf\n5,6\n", {.chunk_bytes = bytes}),
              "x.csv: row 2 (counting from 1), column 'a'" + at);
  EXPECT_EQ(refusal("a,b\n1,1e39\n"), "x.csv: row 1 (counting from 1), column 'b'" + at);
  EXPECT_NO_THROW(parse("a,b\n1,inf\n2,word\n")) << "inf is valid text";
  EXPECT_NO_THROW(parse("a,b\n1,inf\n", {.as_text = {"b"}}));
}

TEST(CsvRefusal, ReportsTheFirstErrorForAnyNumberOfThreads) {
  std::string text = "a,b\n";
  for (int r = 0; r < 200; ++r) text += r >= 120 && r % 3 == 0 ? "1\n" : "1,2\n";
  for (const std::size_t threads : {1, 2, 5})
    for (const std::size_t bytes : {1, 50, 100'000})
      EXPECT_EQ(refusal(text, {.chunk_bytes = bytes}, threads), "x.csv: line 122 has 1 field, the header has 2");
}

TEST(CsvRefusal, RejectsAmbiguousDelimiters) {
  core::Workers workers(1);
  for (const char wrong : {'"', '\n', '\r', '1', 'a', '.', '-', '+'})
    EXPECT_THROW(parse_csv("a\n1\n", "x.csv", {.delimiter = wrong}, workers), core::UsageError) << wrong;
}

class CsvFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "accrete-csv-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string put(const std::string& name, const std::string& bytes) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  static core::FloatColumn numbers(const std::string& path) {
    core::Workers workers(2);
    return read_csv(path, {}, workers).columns.at(0).numbers;
  }
  static std::string file_error(const std::string& path) {
    return thrown_message<core::FileError>([&] { numbers(path); });
  }
  static std::string packed(const std::string& text) {
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
  }

  fs::path folder_;
};

TEST_F(CsvFileTest, ReadsAndWritesFiles) {
  core::Workers workers(1);
  const std::string path = put("x.csv", "a,b\n1,x\n2,y\n");
  const data::Table table = read_csv(path, {}, workers);
  EXPECT_EQ(table.source, path);
  const std::string copy = (folder_ / "copy.csv").string();
  write_csv(table, copy, ';');
  EXPECT_EQ(read_csv(copy, {}, workers).columns[1].levels, (std::vector<std::string>{"x", "y"}));
  EXPECT_THROW(write_csv(table, "/dev/full"), core::FileError);
}

TEST_F(CsvFileTest, ReportsUnreadableFiles) {
  const std::string none = (folder_ / "none.csv").string();
  EXPECT_EQ(file_error(none), "cannot read '" + none + "': No such file or directory");
  EXPECT_EQ(file_error(folder_.string()), "cannot read '" + folder_.string() + "': Is a directory");
  if (::geteuid() == 0) return;  // root can read any file
  const std::string locked = put("locked.csv", "a\n1\n");
  fs::permissions(locked, fs::perms::none);
  EXPECT_EQ(file_error(locked), "cannot read '" + locked + "': Permission denied");
}

TEST_F(CsvFileTest, DecompressesByContentNotByName) {
  const std::string one = packed("a\n1\n");
  const std::string two = packed("2\n3\n");
  EXPECT_EQ(numbers(put("x.csv", one)), (std::vector<float>{1}));
  EXPECT_EQ(numbers(put("x.csv.gz", one + two)), (std::vector<float>{1, 2, 3})) << "several members";
  EXPECT_EQ(numbers(put("x.csv.gz", one + std::string(512, '\0'))), (std::vector<float>{1})) << "padding";
  EXPECT_EQ(numbers(put("plain.csv.gz", "a\n5\n")), (std::vector<float>{5}));

  std::string big = "a\n";
  for (int i = 0; i < 300'000; ++i) big += std::to_string(i % 10) + "\n";
  EXPECT_EQ(numbers(put("big.gz", packed(big) + two)).size(), 300'002u)
      << "the text is longer than the size recorded in the last gzip member";
}

TEST_F(CsvFileTest, RejectsTruncatedAndDamagedGzip) {
  std::string text = "a\n";
  for (int i = 0; i < 2000; ++i) text += std::to_string(i * i) + "\n";
  const std::string whole = packed(text);
  for (std::size_t length = 2; length < whole.size(); length += length < 40 ? 1 : 97) {
    const std::string path = put("cut.gz", whole.substr(0, length));
    EXPECT_EQ(file_error(path), "cannot read '" + path + "': the gzip data is truncated") << length;
  }
  EXPECT_THROW(numbers(put("cut.gz", whole + whole.substr(0, 20))), core::FileError) << "second member truncated";
  EXPECT_THROW(numbers(put("tail.gz", whole + "tail")), core::FileError);
  for (const std::size_t at : {std::size_t{2}, whole.size() / 2, whole.size() - 6, whole.size() - 2}) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    EXPECT_THROW(numbers(put("damaged.gz", damaged)), core::FileError) << at;
  }
}

TEST_F(CsvFileTest, ReadsStandardInputForADash) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string text = "a\n4\n";
  ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::close(ends[1]);
  const int saved = ::dup(STDIN_FILENO);
  ::dup2(ends[0], STDIN_FILENO);
  core::Workers workers(1);
  const data::Table table = read_csv("-", {}, workers);
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(ends[0]);
  EXPECT_EQ(table.source, "standard input");
  EXPECT_EQ(table.columns[0].numbers, (std::vector<float>{4}));
}

}  // namespace
}  // namespace accrete::io::csv_refusal_test
