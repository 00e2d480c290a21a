// Weights by class and by group from the command line.

#include <fmt/format.h>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::weights_test {
namespace {

class WeightFlags : public CommandTest {
 protected:
  /// Columns a, b, region, c5 (5 for the class "x,y", else 1), r2 (2 in the north, else 1) and the class.
  WeightFlags() {
    std::string text = "a,b,region,c5,r2,class\n";
    for (int i = 0; i < 90; ++i) {
      const bool is_xy = i * 7 % 23 + i % 5 > 14;
      const char* region = i % 9 == 0 ? "north" : i % 2 ? "south" : "east";
      text += fmt::format("{},{},{},{},{},{}\n", i * 7 % 23, i % 5, region, is_xy ? 5 : 1, i % 9 == 0 ? 2 : 1,
                          is_xy ? "\"x,y\"" : "z");
    }
    write("in.csv", text);
  }

  void expect_refusal(const std::string& flags, const std::string& text) const {
    const CommandResult end = run("train in.csv --quiet -o no.safetensors " + flags);
    EXPECT_EQ(end.code, 2) << flags;
    EXPECT_EQ(end.err, "accrete: " + text + "\n");
  }

  std::string predictions(const std::string& flags) const {
    ok("train in.csv --auto off --units 8 -o m.safetensors " + flags);
    return ok("predict m.safetensors in.csv --proba");
  }
};

TEST_F(WeightFlags, AreTheSameAsAColumnOfWeights) {
  EXPECT_EQ(predictions("--class-weight \"x,y\":5 --ignore c5,r2"), predictions("--weight-column c5 --ignore r2"));
  EXPECT_EQ(predictions("--group-weight region:north=2 --ignore c5,r2"), predictions("--weight-column r2 --ignore c5"));
  EXPECT_EQ(predictions("--group-weight region:north=2 --ignore c5,r2,region"),
            predictions("--weight-column r2 --ignore c5,region"))
      << "the column need not be an input";
  EXPECT_EQ(predictions("--group-weight region:north=2 --class-weight \"x,y\":5 --ignore c5,r2"),
            predictions("--group-weight region:north=2 --weight-column c5 --ignore r2"));
  EXPECT_NE(predictions("--group-weight region --ignore c5,r2"), predictions("--ignore c5,r2"));
}

TEST_F(WeightFlags, AreKeptByTheModelForGrowing) {
  const std::string flags = " --group-weight region --class-weight \"x,y\":5 --ignore region,c5,r2 --auto off";
  ok("train in.csv --units 8 -o m.safetensors" + flags);
  const auto parameters = json("inspect m.safetensors")["parameters"];
  EXPECT_EQ(parameters["class_weight"], "\"x,y\":5");
  EXPECT_EQ(parameters["group_weight"], "region");
  ok("grow m.safetensors in.csv --units 16 -o grown.safetensors");
  ok("train in.csv --units 16 -o whole.safetensors" + flags);
  EXPECT_EQ(ok("predict grown.safetensors in.csv --proba"), ok("predict whole.safetensors in.csv --proba"));
}

TEST_F(WeightFlags, WorkInCrossValidationAndSearch) {
  const std::string quick = " --auto off --units 4 --ignore c5,r2 --folds 3";
  const auto score = [&](const std::string& flags) {
    return json("cv in.csv" + quick + flags)["metrics"]["log_loss"]["mean"].get<double>();
  };
  EXPECT_NE(score(" --class-weight \"x,y\":5"), score(""));
  EXPECT_NE(score(" --group-weight region"), score(""));
  write("grid.json", R"({"class_weight": ["none", "balanced", "z:3"]})");
  const auto tried = json("search in.csv --grid grid.json --group-weight region" + quick)["tried"];
  EXPECT_EQ(tried.size(), 3u);
}

TEST_F(WeightFlags, NameThePartsOfADate) {
  ok("data make houses -n 100 -o houses.csv");
  const CommandResult end = run("train houses.csv --quiet --auto off --units 8 --group-weight sold -o h.safetensors");
  EXPECT_EQ(end.code, 2);
  EXPECT_NE(end.err.find("'sold', which is a date; use one of its parts, such as 'sold"), std::string::npos) << end.err;
}

TEST_F(WeightFlags, AreRefusedInOneLine) {
  expect_refusal("--class-weight w:5", "--class-weight: the class 'w' is unknown; allowed: x,y, z");
  expect_refusal("--class-weight z:5,z:1", "--class-weight: the class 'z' is named twice");
  expect_refusal("--class-weight z:-1",
                 "--class-weight: the class 'z' has the weight -1, which must be above 0 and at most 1e+30");
  expect_refusal("--class-weight z",
                 "--class-weight z: must be none, balanced, or classes with weights above 0, such as spam:5,ham:1");
  expect_refusal("--class-weight z:1 --target a --task regression",
                 "--class-weight needs classes, but this is a regression task; leave it out");
  expect_refusal("--group-weight regoin",
                 "--group-weight names the column 'regoin', which in.csv does not have; did you mean 'region'?");
  expect_refusal("--group-weight region:west=2",
                 "--group-weight: the value 'west' is unknown; allowed: north, south, east");
}

}  // namespace
}  // namespace accrete::cli_test::weights_test
