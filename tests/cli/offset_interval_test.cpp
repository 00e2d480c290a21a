// Offsets, quantiles and intervals on the command line.

#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::offset_interval_test {
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

TEST_F(OffsetInterval, AddsTheColumnThatTheModelRemembers) {
  write_rows("in.csv", 120);
  ASSERT_EQ(run(std::string("train in.csv --target y --ignore c --offset-column o") + quick).code, 0);
  const auto rmse = [&](const std::string& command) { return json(command)["results"][0]["rmse"].get<double>(); };
  EXPECT_EQ(rmse("evaluate m.safetensors in.csv"), rmse("evaluate m.safetensors in.csv --offset-column o"));
  std::string named = read_file(path("in.csv"));
  named.replace(named.find(",o,"), 3, ",other,");
  write("other.csv", named);
  EXPECT_EQ(rmse("evaluate m.safetensors other.csv --offset-column other"), rmse("evaluate m.safetensors in.csv"));
  std::string zero = "a,o,c,y\n";
  for (int i = 0; i < 120; ++i) zero += fmt::format("{},0,low,1\n", i % 13);
  write("zero.csv", zero);
  std::istringstream with(ok("predict m.safetensors in.csv")), without(ok("predict m.safetensors zero.csv"));
  std::string one, other;
  std::getline(with, one), std::getline(without, other);
  for (int i = 0; std::getline(with, one) && std::getline(without, other); ++i)
    EXPECT_NEAR(std::stod(one) - std::stod(other), 0.1 * (i % 7), 1e-5) << i;
  for (const char* command : {"predict", "evaluate", "grow"}) {
    const auto end = run(std::string(command) + " m.safetensors other.csv" +
                         (command == std::string("grow") ? " --units 20 -o g.safetensors" : ""));
    EXPECT_EQ(end.code, 1) << command;
    EXPECT_EQ(end.err,
              "accrete: other.csv: no column 'o', the offset that the model was fitted with; add it (0: no offset) or "
              "name another with --offset-column\n");
  }
  EXPECT_EQ(json("inspect m.safetensors")["offset_column"], "o");
}

TEST_F(OffsetInterval, IsAddedInCrossValidationAndSearch) {
  std::string text = "a,o,y\n";  // almost all of y is the offset
  for (int i = 0; i < 90; ++i) text += fmt::format("{},{},{}\n", i % 13, 50 * (i % 7), i % 13 + 50 * (i % 7));
  write("in.csv", text);
  const std::string flags = " in.csv --auto off --units 8 --folds 3";
  const auto rmse = [&](const std::string& more) {
    return json("cv" + flags + more)["metrics"]["rmse"]["mean"].get<double>();
  };
  EXPECT_LT(rmse(" --offset-column o"), 5.0);
  EXPECT_GT(rmse(" --ignore o"), 50.0);
  const auto curve = json("cv" + flags + " --offset-column o --units-curve")["curve"];
  EXPECT_LT(curve.front()["rmse"].get<double>(), 10.0);
  write("grid.json", R"({"alpha": [0.1]})");
  const auto best = json("search --grid grid.json --offset-column o -o m.safetensors" + flags)["chosen"];
  EXPECT_LT(best["rmse"]["mean"].get<double>(), 5.0) << best;
  EXPECT_LT(json("evaluate m.safetensors in.csv")["results"][0]["rmse"].get<double>(), 5.0);
  const auto end = run("cv" + flags + " --offset-column o --method network");
  EXPECT_EQ(end.code, 2);
}

TEST_F(OffsetInterval, RefusesColumnsThatCannotBeOffsets) {
  write_rows("in.csv", 120);
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

TEST_F(OffsetInterval, RefusesSetsOfClassesThatContainTheSeparator) {
  std::string text = "a,c\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("{},{}\n", i % 13, i % 13 > 6 ? "a|b" : "a");
  write("in.csv", text);
  ASSERT_EQ(run(std::string("train in.csv --interval 0.9") + quick).code, 0);
  EXPECT_EQ(misuse("predict m.safetensors in.csv --interval"),
            "accrete: --interval: the class 'a|b' contains |, which separates the classes of a set; rename it and "
            "train again\n");
  EXPECT_EQ(run("predict m.safetensors in.csv --proba").code, 0);
}

TEST_F(OffsetInterval, RefusesToGrowWithIntervals) {
  write_rows("in.csv", 120);
  ASSERT_EQ(run(std::string("train in.csv --target y --ignore c") + quick).code, 0);
  EXPECT_EQ(misuse("grow m.safetensors in.csv --units 32 --interval 0.9 -o g.safetensors"),
            "accrete: --interval 0.9: grow cannot calibrate intervals, because the network has seen all rows; train a "
            "new one with --interval\n");
  EXPECT_FALSE(exists("g.safetensors"));
  const std::string help = ok("grow --help");
  EXPECT_EQ(help.find("--interval"), std::string::npos);
  EXPECT_EQ(help.find("--calibration-fraction"), std::string::npos);
}

TEST_F(OffsetInterval, AQuantileImpliesItsLoss) {
  write_rows("in.csv", 120);
  const auto loss_of = [&](const std::string& flags) {
    return json("train in.csv --target y --ignore c " + flags + quick)["loss"];
  };
  EXPECT_EQ(loss_of("--quantile 0.9"), "quantile");
  EXPECT_EQ(loss_of("--huber-delta 0.5"), "huber");
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

TEST_F(OffsetInterval, RefusesAnOffsetWhosePredictionIsTooLarge) {
  ok("data make claims -n 200 -o claims.csv");
  ok("train claims.csv --target claims --loss poisson --offset-column log_exposure --auto off --units 8 "
     "-o m.safetensors");
  std::istringstream rows(read_file(path("claims.csv")));
  std::string header, first, second;
  std::getline(rows, header), std::getline(rows, first), std::getline(rows, second);
  const auto with_offset = [&](std::string row, const std::string& offset) {
    std::size_t column = 0, at = 0;
    for (std::size_t i = 0; i < header.find("log_exposure"); ++i) column += header[i] == ',';
    for (; column > 0; --column) at = row.find(',', at) + 1;
    return row.replace(at, std::min(row.find(',', at), row.size()) - at, offset);
  };
  write("new.csv", header + "\n" + first + "\n" + with_offset(second, "900") + "\n");
  for (const char* command : {"predict", "evaluate"}) {
    const auto end = run(command + std::string(" m.safetensors new.csv"));
    EXPECT_EQ(end.code, 1) << command;
    EXPECT_EQ(end.err,
              "accrete: new.csv: data row 2 (counting from 1): the prediction overflows double precision; "
              "check the row's numbers and offset\n");
    EXPECT_EQ(end.out, "");
  }
}

TEST_F(OffsetInterval, LossesOfNumbersImplyRegressionInCvAndSearch) {
  ok("data make claims -n 200 -o claims.csv");
  const std::string poisson =
      " claims.csv --target claims --loss poisson --offset-column log_exposure --folds 2 --units 8";
  EXPECT_EQ(json("cv" + poisson + " --auto off")["task"], "regression");
  write("grid.json", "{\"alpha\": [1]}");
  EXPECT_EQ(run("search" + poisson + " --grid grid.json").code, 0);
}

}  // namespace
}  // namespace accrete::cli_test::offset_interval_test
