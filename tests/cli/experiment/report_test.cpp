// accrete experiment report.

#include <sqlite3.h>

#include "tests/cli/run_command.hpp"
#include "tests/report/experiment/invented_results.hpp"

namespace accrete::cli_test::experiment_report_test {
namespace {

class ExperimentReport : public CommandTest {
 protected:
  void SetUp() override {
    if (!report::Gnuplot::find()) GTEST_SKIP() << "gnuplot is not installed";
    keep("runs.sqlite", report::invented_everything());
  }

  void keep(const std::string& name, const std::vector<store::Result>& results) const {
    const auto store = store::open(path(name).string());
    for (const auto& result : results) store->keep_result(result);
  }

  void fails(const std::string& arguments, int code, const std::string& expected) const {
    const CommandResult end = run(arguments);
    EXPECT_EQ(end.code, code) << arguments;
    EXPECT_NE(end.err.find(expected), std::string::npos) << end.err;
    EXPECT_EQ(lines(end.err), 1u) << end.err;
  }
};

TEST_F(ExperimentReport, WritesPageMarkdownCsvAndFiguresWithTheSameBytesEveryTime) {
  const auto report = json("experiment report --store runs.sqlite -o new/report");
  EXPECT_EQ(report["results"], 39);
  EXPECT_EQ(report["profiles"], nlohmann::json::parse(R"([{"name": "quick", "cells": 30}])"));
  EXPECT_EQ(report["figures"], 16);  // three rank diagrams, one curve, two of times, ten panels
  EXPECT_EQ(report["written"].size(), 4u + 2u * 16u);
  for (const std::string name : report["written"]) {
    const std::string bytes = read_file(path(name));
    EXPECT_FALSE(bytes.empty()) << name;
    if (name.ends_with(".svg")) {
      EXPECT_LT(bytes.size(), 200'000u) << name;
      EXPECT_NE(bytes.find("</svg>"), std::string::npos) << name;
    }
    if (name.ends_with(".png")) {
      EXPECT_EQ(bytes.substr(1, 3), "PNG") << name;
    }
  }
  const std::string page = read_file(path("new/report/report.html"));
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_EQ(page.find(folder_.string()), std::string::npos) << "no absolute path";
  EXPECT_EQ(lines(read_file(path("new/report/table.csv"))), 31u);
  EXPECT_EQ(lines(read_file(path("new/report/scores.csv"))), 301u);
  const std::string markdown = read_file(path("new/report/experiments.md"));
  EXPECT_NE(markdown.find("(figures/ranks-quick-classification.svg)"), std::string::npos);
  EXPECT_TRUE(exists("new/report/figures/ranks-quick-classification.svg"));
  ok("experiment report --store runs.sqlite -o old/report");
  for (std::string name : report["written"]) {
    const std::string first = read_file(path(name));
    EXPECT_TRUE(read_file(path(name.replace(0, 3, "old"))) == first) << name;
  }
}

TEST_F(ExperimentReport, NeverCreatesOrChangesTheStore) {
  fails("experiment report --store none.sqlite -o out", 1, "none.sqlite");
  EXPECT_FALSE(exists("none.sqlite"));
  EXPECT_FALSE(exists("out"));
  write("empty.sqlite", "");
  fails("experiment report --store empty.sqlite -o out", 1, "empty.sqlite: no results");
  EXPECT_EQ(read_file(path("empty.sqlite")), "");
}

TEST_F(ExperimentReport, ReportsErrorsInOneLine) {
  keep("fresh.sqlite", {});
  fails("experiment report --store fresh.sqlite -o out", 1, "fresh.sqlite: no results");
  write("text.sqlite", std::string(2000, 'x'));
  fails("experiment report --store text.sqlite -o out", 1, "text.sqlite");
  fails("experiment report --store . -o out", 1, "'.'");
  keep("odd.sqlite", {{{"table", "quick", "iris", "gbnn"}, "{}"}});
  fails("experiment report --store odd.sqlite -o out", 1, "the store's result of gbnn on iris (quick) cannot be read");
  keep("other.sqlite", report::invented_everything());
  sqlite3* file = nullptr;
  ASSERT_EQ(sqlite3_open(path("other.sqlite").c_str(), &file), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(file, "PRAGMA user_version = 99", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(file);
  fails("experiment report --store other.sqlite -o out", 1, "has version 99");
  keep("newer.sqlite", {{{"dance", "quick", "iris", "gbnn"}, "{}"}});
  fails("experiment report --store newer.sqlite -o out", 1, "newer.sqlite: no results known to this version");
  EXPECT_FALSE(exists("out"));
  write("file", "as it was");
  fails("experiment report --store runs.sqlite -o file", 1, "file");
  EXPECT_EQ(read_file(path("file")), "as it was");
  EXPECT_EQ(run("experiment report").code, 2);
}

TEST_F(ExperimentReport, WritesNothingWithoutGnuplot) {
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  fails("experiment report --store runs.sqlite -o out", 1, "gnuplot-nox");
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_FALSE(exists("out"));
}

TEST_F(ExperimentReport, ShowsAnExampleInTheHelp) {
  const std::string help = ok("experiment report --help");
  for (const char* arguments :
       {"report.html", "experiments.md", "Example:\n  accrete experiment report --store runs.sqlite"})
    EXPECT_NE(help.find(arguments), std::string::npos) << help;
}

}  // namespace
}  // namespace accrete::cli_test::experiment_report_test
