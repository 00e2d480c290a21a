// accrete report.

#include <fmt/format.h>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::commands_report_test {
namespace {

class Report : public CommandTest {
 protected:
  Report() {
    ok("data make tic-tac-toe -o ttt.csv");
    ok("train ttt.csv --units 40 --auto off -o ttt.safetensors");
  }

  void fails(const std::string& arguments, int code, const std::string& expected) const {
    const CommandResult end = run(arguments);
    EXPECT_EQ(end.code, code) << arguments;
    EXPECT_NE(end.err.find(expected), std::string::npos) << end.err;
    EXPECT_EQ(lines(end.err), 1u) << end.err;
  }
};

TEST_F(Report, WritesAPageAndAgreesWithEvaluate) {
  const auto report = json("report ttt.safetensors ttt.csv -o page.html --repeats 2");
  const auto evaluated = json("evaluate ttt.safetensors ttt.csv")["results"][0];
  for (const char* name : {"accuracy", "log_loss", "auc"})
    EXPECT_NEAR(report["metrics"][name], evaluated[name], 1e-6) << name;
  EXPECT_EQ(report["written"], nlohmann::json{"page.html"});
  EXPECT_EQ(report["importance"]["columns"].size(), 9u);
  EXPECT_EQ(report["contributions"]["columns"].size(), 9u);
  const std::string page = read_file(path("page.html"));
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_LT(page.size(), 2'000'000u);
  EXPECT_EQ(ok("report ttt.safetensors ttt.csv --repeats 1"), "report.html\n");
}

TEST_F(Report, GivesTheSameBytesForAnyThreads) {
  ok("report ttt.safetensors ttt.csv -o a.html --threads 1");
  ok("report ttt.safetensors ttt.csv -o b.html --threads 3");
  EXPECT_TRUE(read_file(path("a.html")) == read_file(path("b.html")));
}

TEST_F(Report, WritesFiguresAsFiles) {
  const CommandResult end = run("report ttt.safetensors ttt.csv --repeats 1 --figures new/figures");
  if (end.err.find("gnuplot-nox") != std::string::npos) GTEST_SKIP() << end.err;
  EXPECT_EQ(end.code, 0) << end.err;
  for (const char* name :
       {"curve", "loss", "confusion", "calibration", "steps", "importance", "contributions", "waterfall", "swarm"}) {
    EXPECT_NE(read_file(path("new/figures/" + std::string(name) + ".svg")).find("</svg>"), std::string::npos) << name;
    EXPECT_EQ(read_file(path("new/figures/" + std::string(name) + ".png")).substr(1, 3), "PNG") << name;
  }
  EXPECT_EQ(lines(end.out), 19u);
}

TEST_F(Report, ShowsTablesAndRefusesFiguresWithoutGnuplot) {
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  fails("report ttt.safetensors ttt.csv --figures figures", 1, "Debian package gnuplot-nox");
  EXPECT_FALSE(exists("figures"));
  EXPECT_FALSE(exists("report.html"));
  const CommandResult end = run("report ttt.safetensors ttt.csv --repeats 1");
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(end.code, 0);
  EXPECT_NE(end.err.find("gnuplot-nox"), std::string::npos);
  EXPECT_NE(read_file(path("report.html")).find("<details open>"), std::string::npos);
}

TEST_F(Report, ReportsErrorsInOneLineAndKeepsTheOldPage) {
  write("report.html", "as it was");
  std::string no_target = read_file(path("ttt.csv"));
  no_target.replace(no_target.find("target"), 6, "winner");
  write("no_target.csv", no_target);
  write("odd.csv", "x,y\n1,2.5\n2,3.5\n3,9\n4,1\n");
  fails("report ttt.safetensors no_target.csv", 2, "no column 'target'");
  fails("report ttt.safetensors missing.csv", 1, "missing.csv");
  fails("report missing.safetensors ttt.csv", 1, "missing.safetensors");
  std::string unknown = read_file(path("ttt.csv"));
  unknown.replace(unknown.rfind("negative"), 8, "sideways");
  write("unknown.csv", unknown);
  fails("report ttt.safetensors unknown.csv", 1, "sideways");
  std::string renamed = read_file(path("ttt.csv"));
  renamed.replace(0, renamed.find(','), "elsewhere");
  write("renamed.csv", renamed);
  fails("report ttt.safetensors renamed.csv", 1, "renamed.csv");
  fails("report ttt.safetensors ttt.csv -o no/such/place.html", 1, "no/such/place.html");
  fails("report ttt.safetensors ttt.csv -o ttt.csv", 2, "ttt.csv");
  fails("report ttt.safetensors ttt.csv -o -", 2, "-o -: must be a file name");
  fails("report ttt.safetensors ttt.csv --repeats 0", 2, "--repeats");
  fails("report ttt.safetensors ttt.csv --figures report.html", 1, "report.html");
  EXPECT_EQ(read_file(path("report.html")), "as it was");
}

TEST_F(Report, HandlesSeveralTargetsAndWeights) {
  write("m.csv", "x,w,u,v\n1,1,2,3.5\n2,1,4,1\n3,2,6,2.5\n4,0,8,0\n5,1,9,1\n");
  ok("train m.csv --target u,v --weight-column w --units 8 -o m.safetensors");
  const auto report = json("report m.safetensors m.csv --weight-column w");
  const auto evaluated = json("evaluate m.safetensors m.csv --weight-column w")["results"][0];
  EXPECT_NEAR(report["metrics"]["rmse"], evaluated["rmse"], 1e-6);
  const std::string page = read_file(path("report.html"));
  EXPECT_NE(page.find("id=\"predicted-1\""), std::string::npos);
}

TEST_F(Report, ShowsCoverageAndAddsOffsets) {
  std::string text = "a,o,y\n";
  for (int i = 0; i < 120; ++i) text += fmt::format("{},{},{}\n", i % 13, i % 7, i % 13 + 10 * (i % 7) + i * 37 % 11);
  write("in.csv", text);
  for (const char* flags : {"--interval 0.8", "--offset-column o"}) {
    ok(std::string("train in.csv --task regression --auto off --units 12 -o n.safetensors ") + flags);
    const auto report = json("report n.safetensors in.csv -o n.html --repeats 1")["metrics"];
    const auto evaluated = json("evaluate n.safetensors in.csv")["results"][0];
    for (const auto& [name, value] : report.items()) EXPECT_NEAR(value, evaluated[name], 1e-6) << flags << name;
    const std::string page = read_file(path("n.html"));
    EXPECT_EQ(page.find("Coverage of the intervals over units") != std::string::npos, report.contains("coverage"));
    EXPECT_EQ(report.contains("coverage"), flags == std::string("--interval 0.8"));
  }
  ok("train ttt.csv --auto off --units 8 --interval 0.8 -o sets.safetensors");
  const auto report = json("report sets.safetensors ttt.csv -o n.html --repeats 1")["metrics"];
  EXPECT_GE(report["set_size"].get<double>(), 1.0);
  EXPECT_GT(report["coverage"].get<double>(), 0.7);
}

TEST_F(Report, WorksOnASingleRow) {
  const std::string all = read_file(path("ttt.csv"));
  write("one.csv", all.substr(0, all.find('\n', all.find('\n') + 1) + 1));
  const auto report = json("report ttt.safetensors one.csv");
  EXPECT_EQ(report["rows"], 1);
  EXPECT_TRUE(report["metrics"]["auc"].is_null()) << "AUC needs two classes";
}

TEST_F(Report, ShowsAnExampleInTheHelp) {
  const std::string help = ok("report --help");
  EXPECT_NE(help.find("Example:\n  accrete report ttt.safetensors"), std::string::npos);
  EXPECT_NE(help.find("--figures"), std::string::npos);
}

}  // namespace
}  // namespace accrete::cli_test::commands_report_test
