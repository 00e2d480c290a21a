#include "accrete/io/csv_files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "accrete/comm/threads.hpp"
#include "accrete/core/error.hpp"

namespace accrete::io::csv_files_test {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

class CsvFilesTest : public testing::Test {
 protected:
  CsvFilesTest() {
    std::string name = (fs::temp_directory_path() / "accrete-files-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~CsvFilesTest() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  fs::path folder_;
};

/// The cells of a column, by their text.
Strings cells(const data::Column& column) {
  Strings result;
  for (std::size_t r = 0; r < column.size(); ++r)
    if (column.kind == data::Column::Kind::text)
      result.push_back(column.codes[r] < 0 ? "-" : column.levels[static_cast<std::size_t>(column.codes[r])]);
    else
      result.push_back(std::isnan(column.numbers[r]) ? "-" : std::to_string(std::lround(column.numbers[r])));
  return result;
}

/// The rows of all ranks, in their order, are the table of one process, with its levels.
void expect_whole(const Strings& paths, std::size_t ranks) {
  core::Workers one(1);
  const CsvFiles alone(paths, "files", comm::one_process());
  const data::Table whole = alone.read({}, one);
  std::vector<data::Table> parts(ranks);
  comm::run_ranks(ranks, [&](comm::Communicator& comm) {
    core::Workers workers(1);
    const CsvFiles files(paths, "files", comm);
    EXPECT_EQ(files.header({}).columns.size(), whole.columns.size());
    parts[comm.rank()] = files.read({}, workers);
  });
  for (std::size_t c = 0; c < whole.columns.size(); ++c) {
    Strings joined;
    for (const data::Table& part : parts) {
      EXPECT_EQ(part.columns[c].kind, whole.columns[c].kind);
      EXPECT_EQ(part.columns[c].levels, whole.columns[c].levels);
      for (const std::string& cell : cells(part.columns[c])) joined.push_back(cell);
    }
    EXPECT_EQ(joined, cells(whole.columns[c])) << whole.columns[c].name << ", " << ranks << " ranks";
  }
}

TEST_F(CsvFilesTest, DividesTheBytesOfAFileAtRows) {
  std::string text = "a,b,c\n";
  for (int r = 0; r < 60; ++r)
    text +=
        std::to_string(r) + (r % 7 == 0 ? ",," : ",red,") + std::string(static_cast<std::size_t>(r % 5), '1') + "\n";
  const Strings paths{write("x.csv", text)};
  for (const std::size_t ranks : {1, 2, 3, 4, 7}) expect_whole(paths, ranks);
}

TEST_F(CsvFilesTest, DividesQuotedLineEndsCorrectly) {
  std::string text = "a,b\n";
  for (int r = 0; r < 40; ++r) text += std::to_string(r) + ",\"line\n" + std::to_string(r % 3) + ",\"\n";
  const Strings paths{write("x.csv", text)};
  for (const std::size_t ranks : {2, 3, 7}) expect_whole(paths, ranks);
}

TEST_F(CsvFilesTest, ReadsWholeFilesOfOneTable) {
  // b is a number in the first file and a text in the third.
  const Strings paths{write("1.csv", "a,b\n1,5\n2,6\n"), write("2.csv", "a,b\n3,\n"),
                      write("3.csv", "a,b\n4,x\n5,5\n")};
  for (const std::size_t ranks : {1, 2, 3}) expect_whole(paths, ranks);
  for (const std::size_t ranks : {5}) expect_whole(paths, ranks);  // and ranges of several files
}

TEST_F(CsvFilesTest, AllRanksReportTheErrorOfOne) {
  const Strings paths{write("1.csv", "a,b\n1,5\n"), write("2.csv", "a,b\n1,5,6\n"), (folder_ / "none.csv").string()};
  const auto read = [](const Strings& files) {
    comm::run_ranks(2, [&](comm::Communicator& comm) {
      core::Workers workers(1);
      const CsvFiles opened(files, "files", comm);
      opened.header({});
      opened.read({}, workers);
    });
  };
  EXPECT_THROW(read({paths[0], paths[1]}), core::DataError);
  EXPECT_THROW(read({paths[0], paths[2]}), core::FileError);
  EXPECT_THROW(read({paths[0], write("3.csv", "a,other\n1,2\n")}), core::DataError);
}

TEST_F(CsvFilesTest, FindsTheFilesOfAPattern) {
  write("part-2.csv", ""), write("part-1.csv", ""), write("x.csv", "");
  const Strings found = matching_files((folder_ / "part-*.csv").string());
  EXPECT_EQ(found, (Strings{(folder_ / "part-1.csv").string(), (folder_ / "part-2.csv").string()}));
  EXPECT_THROW(matching_files((folder_ / "none-*.csv").string()), core::FileError);
  EXPECT_EQ(matching_files("any.csv"), Strings{"any.csv"});
}

}  // namespace
}  // namespace accrete::io::csv_files_test
