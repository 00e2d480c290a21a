#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#ifdef ACCRETE_COMMAND

namespace accrete::cli {
namespace {

namespace fs = std::filesystem;

class DemoTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "accrete-demo-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path path(const std::string& name) const { return folder_ / name; }

  /// The exit code; standard output goes to out, standard error to err.
  int run(const std::string& arguments) {
    const std::string command = std::string("'") + ACCRETE_COMMAND + "' demo " + arguments + " >'" +
                                path("out").string() + "' 2>'" + path("err").string() + "'";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  static std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }

  fs::path folder_;
};

TEST_F(DemoTest, LearnsTheRingAndSaysSoInJson) {
  ASSERT_EQ(run("--json --output-dir '" + path("new/demo").string() + "'"), 0) << content(path("err"));
  const auto result = nlohmann::json::parse(content(path("out")));
  const auto accuracy = result.at("accuracy").get<std::vector<double>>();
  EXPECT_EQ(result.at("units"), (std::vector<int>{1, 2, 3, 4, 10, 50, 100}));
  ASSERT_EQ(accuracy.size(), 7u);
  const double bayes = result.at("bayes");
  EXPECT_NEAR(bayes, 0.815, 0.01);  // the integral over the two densities
  EXPECT_GT(accuracy.back(), bayes - 0.03);
  EXPECT_GT(accuracy.back(), accuracy.front());
  EXPECT_TRUE(fs::exists(result.at("page").get<std::string>()));
  EXPECT_TRUE(fs::exists(result.at("picture").get<std::string>()));
}

TEST_F(DemoTest, PictureIsAPngOfASaneSize) {
  ASSERT_EQ(run("--output-dir '" + path("demo").string() + "'"), 0) << content(path("err"));
  const std::string png = content(path("demo/demo.png"));
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_GT(png.size(), 30'000u);
  EXPECT_LT(png.size(), 600'000u);
}

TEST_F(DemoTest, PageNeedsNothingButItself) {
  ASSERT_EQ(run("--output-dir '" + path("demo").string() + "'"), 0) << content(path("err"));
  const std::string page = content(path("demo/demo.html"));
  EXPECT_LT(page.size(), 1'500'000u);
  for (const char* fetched : {"http:", "https:", "src=", "href=\"//", "@import", "url(", "fetch("})
    EXPECT_EQ(page.find(fetched), std::string::npos) << fetched;
  for (std::size_t at = page.find("href=\""); at != std::string::npos; at = page.find("href=\"", at + 1))
    EXPECT_EQ(page.substr(at + 6, 5), "data:");
}

TEST_F(DemoTest, SameSeedSameBytesOnAnyNumberOfThreads) {
  ASSERT_EQ(run("--seed 3 --threads 1 --output-dir '" + path("a").string() + "'"), 0) << content(path("err"));
  ASSERT_EQ(run("--seed 3 --threads 3 --output-dir '" + path("b").string() + "'"), 0);
  ASSERT_EQ(run("--seed 4 --output-dir '" + path("c").string() + "'"), 0);
  for (const char* file : {"demo.html", "demo.png"}) {
    EXPECT_TRUE(content(path("a") / file) == content(path("b") / file)) << file;
    EXPECT_FALSE(content(path("a") / file) == content(path("c") / file)) << file;
  }
}

TEST_F(DemoTest, PlaceThatCannotBeWrittenToIsOneLineAndExit1) {
  std::ofstream(path("file")) << "in the way";
  EXPECT_EQ(run("--output-dir '" + path("file").string() + "'"), 1);
  const std::string error = content(path("err"));
  EXPECT_NE(error.find(path("file").string()), std::string::npos) << error;
  EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
}

}  // namespace
}  // namespace accrete::cli

#endif  // ACCRETE_COMMAND
