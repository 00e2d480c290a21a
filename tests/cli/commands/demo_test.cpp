// accrete demo.

#include "report/gnuplot/gnuplot.hpp"
#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::demo_test {
namespace {

class DemoCommand : public CommandTest {
 protected:
  void SetUp() override {
    if (!report::Gnuplot::find()) GTEST_SKIP() << "gnuplot is not installed";
  }
};

TEST_F(DemoCommand, WritesAPageAndAPictureAndReportsAccuracies) {
  const auto result = json("demo --output-dir new/demo");
  const auto accuracy = result.at("accuracy").get<std::vector<double>>();
  EXPECT_EQ(result.at("units"), (std::vector<int>{1, 2, 3, 4, 10, 50, 100}));
  ASSERT_EQ(accuracy.size(), 7u);
  const double bayes = result.at("bayes");
  EXPECT_NEAR(bayes, 0.815, 0.01);  // the integral over the two densities
  EXPECT_GT(accuracy.back(), bayes - 0.03);
  EXPECT_GT(accuracy.back(), accuracy.front());
  EXPECT_TRUE(exists(result.at("page")));
  EXPECT_TRUE(exists(result.at("picture")));

  const std::string png = read_file(path("new/demo/demo.png"));
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_GT(png.size(), 30'000u);
  EXPECT_LT(png.size(), 600'000u);

  const std::string page = read_file(path("new/demo/demo.html"));  // it fetches nothing
  EXPECT_LT(page.size(), 1'500'000u);
  for (const char* fetched : {"src=\"http", "href=\"http", "href=\"//", "@import", "url(", "fetch("})
    EXPECT_EQ(page.find(fetched), std::string::npos) << fetched;
  for (const char* attribute : {" href=\"", " src=\""})
    for (std::size_t at = page.find(attribute); at != std::string::npos; at = page.find(attribute, at + 1))
      EXPECT_EQ(page.substr(page.find('"', at) + 1, 5), "data:");

  ok("demo --threads 1 --output-dir other");
  ok("demo --seed 4 --threads 3 --output-dir seed");
  for (const char* file : {"demo.html", "demo.png"}) {
    EXPECT_TRUE(read_file(path("new/demo") / file) == read_file(path("other") / file)) << file;
    EXPECT_FALSE(read_file(path("new/demo") / file) == read_file(path("seed") / file)) << file;
  }
}

TEST_F(DemoCommand, WritesOnlyThePageWithoutGnuplot) {
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  const CommandResult end = run("demo --output-dir demo --json");
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.err.find("demo.png is not written"), std::string::npos) << end.err;
  EXPECT_TRUE(nlohmann::json::parse(end.out)["picture"].is_null());
  EXPECT_TRUE(exists("demo/demo.html"));
  EXPECT_FALSE(exists("demo/demo.png"));
}

TEST_F(DemoCommand, FailsIfTheDirectoryCannotBeCreated) {
  write("file", "in the way");
  const CommandResult end = run("demo --output-dir file");
  EXPECT_EQ(end.code, 1);
  EXPECT_NE(end.err.find("file"), std::string::npos) << end.err;
  EXPECT_EQ(lines(end.err), 1u) << end.err;
}

}  // namespace
}  // namespace accrete::cli_test::demo_test
