// Offsets, quantiles and intervals on the command line.

#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test {
namespace {

class OffsetInterval : public CommandTest {
 protected:
  /// Columns a, o (an offset), c (a class) and y.
  void write_rows(const std::string& name, int rows) const {
    std::string text = "a,o,c,y\n";
    for (int i = 0; i < rows; ++i) {
      const double a = i % 13, o = 0.1 * (i % 7), noise = i * 37 % 11 - 5;
      text += fmt::format("{},{},{},{}\n", a, o, a + noise > 6 ? "high" : "low", 20 + 3 * a + o + noise);
    }
    write(name, text);
  }
};

constexpr const char* quick = " --auto off --units 16 -o m.safetensors";

TEST_F(OffsetInterval, PredictsWithAndWithoutTheOffset) {
  write_rows("in.csv", 120);
  ASSERT_EQ(run(std::string("train in.csv --target y --ignore c --offset-column o") + quick).code, 0);
  const auto sum = json("evaluate m.safetensors in.csv --offset-column o")["results"][0]["rmse"].get<double>();
  EXPECT_GT(sum, 0.0);
  std::istringstream with(run("predict m.safetensors in.csv --offset-column o").out),
      without(run("predict m.safetensors in.csv").out);
  std::string one, other;
  std::getline(with, one), std::getline(without, other);
  for (int i = 0; std::getline(with, one) && std::getline(without, other); ++i)
    EXPECT_NEAR(std::stod(one) - std::stod(other), 0.1 * (i % 7), 1e-5) << i;
  EXPECT_NE(run(std::string("train in.csv --target y --offset-column c") + quick).err.find("holds text"),
            std::string::npos);
  EXPECT_NE(run(std::string("train in.csv --target y --offset-column y") + quick).err.find("is the target"),
            std::string::npos);
  EXPECT_EQ(run("train in.csv --target y --offset-column o --method network -o n.safetensors").code, 2);
}

TEST_F(OffsetInterval, WritesQuantilesAndIntervals) {
  write_rows("in.csv", 200);
  ASSERT_EQ(run(std::string("train in.csv --target y --ignore c --quantiles 0.1,0.5,0.9") + quick).code, 0);
  EXPECT_EQ(run("predict m.safetensors in.csv").out.substr(0, 14), "q0.1,q0.5,q0.9");
  ASSERT_EQ(run(std::string("train in.csv --target y --ignore c --interval 0.8") + quick).code, 0);
  EXPECT_EQ(run("predict m.safetensors in.csv --interval").out.substr(0, 23), "prediction,lower,upper\n");
  const auto result = json("evaluate m.safetensors in.csv")["results"][0];
  EXPECT_NEAR(result["coverage"].get<double>(), 0.8, 0.15);
  EXPECT_GT(result["interval_width"].get<double>(), 0.0);
}

TEST_F(OffsetInterval, WritesSetsOfClasses) {
  write_rows("in.csv", 200);
  ASSERT_EQ(run(std::string("train in.csv --target c --ignore y --interval 0.9") + quick).code, 0);
  const std::string sets = run("predict m.safetensors in.csv --interval").out;
  EXPECT_EQ(sets.substr(0, 15), "prediction,set\n");
  EXPECT_NE(sets.find("low"), std::string::npos);
  EXPECT_GT(json("evaluate m.safetensors in.csv")["results"][0]["coverage"].get<double>(), 0.8);
}

TEST_F(OffsetInterval, SaysWhatIsWrong) {
  write_rows("in.csv", 60);
  const auto few = run(std::string("train in.csv --target y --interval 0.99") + quick);
  EXPECT_EQ(few.code, 1);
  EXPECT_NE(few.err.find("--interval 0.99 needs at least 99"), std::string::npos) << few.err;
  EXPECT_EQ(run(std::string("train in.csv --target y --quantiles 0.9,0.1") + quick).code, 2);
  EXPECT_EQ(run(std::string("train in.csv --target c --quantiles 0.1,0.9") + quick).code, 2);
  ASSERT_EQ(run(std::string("train in.csv --target y") + quick).code, 0);
  const auto none = run("predict m.safetensors in.csv --interval");
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("train it with --interval 0.9"), std::string::npos) << none.err;
  EXPECT_NE(run(std::string("train in.csv --target y --loss custom") + quick).err.find("Python or C++"),
            std::string::npos);
}

}  // namespace
}  // namespace accrete::cli_test
