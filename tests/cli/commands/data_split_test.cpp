#include <zlib.h>

#include <map>
#include <set>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::data_split_test {
namespace {

class DataSplit : public CommandTest {
 protected:
  std::vector<std::string> rows_of(const std::string& name, bool header = true) const {
    std::istringstream text(read_file(path(name)));
    std::vector<std::string> rows;
    for (std::string line; std::getline(text, line);) rows.push_back(line);
    if (header) rows.erase(rows.begin());
    return rows;
  }

  /// Expects the exit code, these texts on standard error, and no output file.
  void refuse(const std::string& arguments, int code, const std::vector<std::string>& expected) const {
    const CommandResult end = run(arguments);
    EXPECT_EQ(end.code, code) << arguments << "\n" << end.err;
    for (const auto& text : expected) EXPECT_NE(end.err.find(text), std::string::npos) << arguments << "\n" << end.err;
    EXPECT_FALSE(exists("a.csv") || exists("b.csv")) << arguments;
  }
};

/// 60 rows of "x", 30 of "y", 10 of "z" in mixed order, with unusual but legal CSV syntax.
std::string odd_file() {
  std::string text = "id, \"the kind\" ,note\r\n";
  for (int i = 0; i < 100; ++i) {
    const int k = i * 7 % 100;
    const std::string kind = k < 60 ? "x" : k < 90 ? "y" : "z";
    text += std::to_string(i) + ", " + kind + (i % 3 ? " ,plain\r\n" : ",\"two\nlines, quoted\"\r\n");
    if (i % 10 == 0) text += "\r\n";
  }
  text.resize(text.size() - 2);  // no newline at the end
  return text;
}

TEST_F(DataSplit, KeepsLinesUnchangedAndStratifies) {
  write("in.csv", odd_file());
  const auto report = json("data split in.csv --target 1 --test-fraction 0.3 --train a.csv --test b.csv");
  EXPECT_EQ(report["stratified"], true);
  EXPECT_EQ(report["target"], "the kind");
  EXPECT_EQ(report["train"]["rows"], 70);
  EXPECT_EQ(report["test"]["rows"], 30);
  const std::string whole = odd_file() + "\n", train = read_file(path("a.csv")), test = read_file(path("b.csv"));
  const std::string header = "id, \"the kind\" ,note\r\n";
  EXPECT_TRUE(train.starts_with(header));
  EXPECT_TRUE(test.starts_with(header));
  // Each row is in exactly one file, unchanged and in the original order.
  std::map<std::string, int> in_test;
  std::size_t seen_train = 0, seen_test = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string start = "\n" + std::to_string(i) + ", ";
    const auto from = whole.find(start) + 1;
    const std::string row = whole.substr(from, whole.find(i % 3 ? "plain" : "quoted\"", from) + (i % 3 ? 5 : 7) - from);
    const auto a = train.find("\n" + row), b = test.find("\n" + row);
    ASSERT_NE(a == train.npos, b == test.npos) << row;
    ASSERT_GT(a == train.npos ? b : a, a == train.npos ? seen_test : seen_train) << row;
    (a == train.npos ? seen_test : seen_train) = a == train.npos ? b : a;
    if (b != test.npos) ++in_test[row.substr(row.find(',') + 2, 1)];
  }
  EXPECT_EQ(in_test, (std::map<std::string, int>{{"x", 18}, {"y", 9}, {"z", 3}}));
  EXPECT_EQ(train.size() + test.size(), whole.size() + header.size() - 10 * 2);  // less the ten blank lines
}

TEST_F(DataSplit, DependsOnTheSeed) {
  ok("data make twonorm -n 200 -o in.csv");
  const std::string arguments = "data split in.csv --train a.csv --test b.csv --seed ";
  ok(arguments + "1");
  const std::string once = read_file(path("b.csv"));
  ok(arguments + "1");
  EXPECT_EQ(read_file(path("b.csv")), once);
  ok(arguments + "2");
  EXPECT_NE(read_file(path("b.csv")), once);
  EXPECT_EQ(rows_of("b.csv").size(), 60u);
}

TEST_F(DataSplit, ReadsGzippedFilesWithoutHeader) {
  ok("data make friedman1 -n 90 -o in.csv");
  const auto rows = rows_of("in.csv");
  std::string text;
  for (const auto& row : rows) text += row + "\n";
  gzFile file = gzopen(path("in.csv.gz").c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  const std::string report = ok("data split in.csv.gz --no-header --test-fraction 0.1 --train a.csv --test b.csv");
  EXPECT_NE(report.find("a.csv: 81 rows"), std::string::npos) << report;
  EXPECT_NE(report.find("at random"), std::string::npos) << report;
  std::multiset<std::string> all(rows.begin(), rows.end()), parts;
  for (const char* name : {"a.csv", "b.csv"})
    for (const auto& row : rows_of(name, false)) parts.insert(row);
  EXPECT_EQ(parts, all);
}

TEST_F(DataSplit, RefusesBadArguments) {
  ok("data make twonorm -n 20 -o in.csv");
  const std::string arguments = "data split in.csv --train a.csv --test b.csv ";
  refuse("data split in.csv --train a.csv", 2, {"--test"});
  refuse("data split in.csv --train a.csv --test ./a.csv", 2, {"--train and --test", "a.csv"});
  refuse("data split in.csv --train in.csv --test b.csv", 2, {"in.csv", "overwrite"});
  refuse("data split in.csv --train a.csv --test none/b.csv", 1, {"none/b.csv", "No such file"});
  refuse("data split none.csv --train a.csv --test b.csv", 1, {"none.csv", "No such file"});
  refuse(arguments + "--target answer", 2, {"'answer'", "x1, x2"});
  for (const char* wrong : {"0", "1", "-0.5", "nan", "half"})
    refuse(arguments + "--test-fraction " + wrong, 2, {"--test-fraction", wrong, "above 0 and below 1"});
  write("in.csv", "x,y\n1,a\n2,\n");
  refuse(arguments, 1, {"in.csv", "row 2", "'y'", "missing"});
  write("in.csv", "x,y\n1,a\n2,b,c\n");
  refuse(arguments, 1, {"in.csv", "line 3", "3 fields"});
  write("in.csv", "x,y\n");
  refuse(arguments, 1, {"in.csv", "no data rows"});
}

TEST_F(DataSplit, RefusesStandardOutput) {
  write("in.csv", "x,y\n1,2\n2,3\n3,5\n4,1\n");
  for (const std::string flags : {"--train - --test b.csv", "--train b.csv --test -"}) {
    const CommandResult end = run("data split in.csv " + flags);
    EXPECT_EQ(end.code, 2) << flags;
    EXPECT_NE(end.err.find(" -: the two parts cannot go to standard output; name a file"), std::string::npos)
        << end.err;
    EXPECT_FALSE(exists("-") || exists("b.csv")) << flags;
  }
}

}  // namespace
}  // namespace accrete::cli_test::data_split_test
