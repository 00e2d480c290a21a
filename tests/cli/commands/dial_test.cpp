// accrete dial and predict --exit.

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::dial_test {
namespace {

constexpr const char* quick = " --units 64 --units-per-step 4 --max-iter 4 --auto off --seed 1 --quiet";

class DialCommand : public CommandTest {
 protected:
  void train(const std::string& kind, const std::string& target) {
    ok("data make " + kind + " -n 3000 -o all.csv --quiet");
    ok("data split all.csv --target " + target + " --train train.csv --test held_out.csv --test-fraction 0.7 --quiet");
    ok("train train.csv --target " + target + quick + " -o m.safetensors");
  }
};

TEST_F(DialCommand, StoresThresholdsThatPredictUses) {
  train("waveform", "target");
  const auto found = json("dial m.safetensors held_out.csv --disagreement 0.01 --confidence 0.9");
  EXPECT_LT(found["mean_units"].get<double>(), 64.0);
  EXPECT_FALSE(found["exits"].empty());
  EXPECT_EQ(json("inspect m.safetensors")["early_exit"]["exits"], found["exits"]);
  EXPECT_NE(ok("inspect m.safetensors").find("another label in at most 1 % of the rows"), std::string::npos);
  ok("predict m.safetensors held_out.csv -o full.csv");
  const auto early = json("predict m.safetensors held_out.csv --exit -o early.csv");
  EXPECT_LT(early["mean_units"].get<double>(), 64.0);
  const std::string full = read_file(path("full.csv")), stopped = read_file(path("early.csv"));
  EXPECT_EQ(lines(full), lines(stopped));
  std::istringstream a(full), b(stopped);
  int differ = 0;
  for (std::string x, y; std::getline(a, x) && std::getline(b, y);) differ += x != y ? 1 : 0;
  EXPECT_LE(differ, 30);
}

TEST_F(DialCommand, WritesAnotherFileIfAsked) {
  train("waveform", "target");
  const std::string before = read_file(path("m.safetensors"));
  const std::string text = ok("dial m.safetensors held_out.csv --disagreement 0.02 -o n.safetensors");
  EXPECT_NE(text.find("guarantee"), std::string::npos);
  EXPECT_EQ(read_file(path("m.safetensors")), before);
  EXPECT_EQ(json("inspect m.safetensors")["early_exit"], nlohmann::json());
  EXPECT_EQ(run("predict n.safetensors held_out.csv --exit").code, 0);
}

TEST_F(DialCommand, HasAToleranceForRegression) {
  train("houses", "price");
  const auto found = json("dial m.safetensors held_out.csv --disagreement 0.02 --tolerance 40000");
  EXPECT_EQ(found["tolerances"][0], 40000.0);
  EXPECT_EQ(run("predict m.safetensors held_out.csv --exit").code, 0);
  EXPECT_NE(ok("dial m.safetensors held_out.csv --disagreement 0.02").find("tolerance"), std::string::npos);
}

TEST_F(DialCommand, SaysWhatIsWrong) {
  train("waveform", "target");
  const auto refused = [&](const std::string& command, int code, const std::string& text) {
    const CommandResult end = run(command);
    EXPECT_EQ(end.code, code) << command;
    EXPECT_NE(end.err.find(text), std::string::npos) << command << "\n" << end.err;
    EXPECT_EQ(lines(end.err), 1) << end.err;
  };
  refused("dial m.safetensors held_out.csv", 1,
          "give at least 3993: a quarter of the rows sets the thresholds, and at least 2995 others must test them");
  refused("dial m.safetensors held_out.csv --disagreement 2", 2, "--disagreement 2: must be between 0 and 1");
  refused("dial m.safetensors held_out.csv --disagreement 0.02 --tolerance 1", 2,
          "--tolerance: needs a regression model");
  refused("dial m.safetensors held_out.csv --tolerance 0", 2, "must be positive");
  refused("predict m.safetensors held_out.csv --exit", 2, "run dial on it first");
  ok("dial m.safetensors held_out.csv --disagreement 0.02");
  refused("predict m.safetensors held_out.csv --exit --units 16", 2, "--units cannot be used together");
  refused("predict m.safetensors held_out.csv --exit --interval", 2, "--interval");
  ok("train train.csv --target target --method network --max-iter 4 --quiet -o plain.safetensors");
  refused("dial plain.safetensors held_out.csv --disagreement 0.02", 2, "plain network");
}

TEST_F(DialCommand, IsLostWhenTheNetworkChanges) {
  train("waveform", "target");
  ok("dial m.safetensors held_out.csv --disagreement 0.02");
  const CommandResult grown = run("grow m.safetensors train.csv --units 72 -o g.safetensors");
  EXPECT_NE((grown.out + grown.err).find("run dial again to restore it"), std::string::npos) << grown.out << grown.err;
  EXPECT_EQ(json("inspect g.safetensors")["early_exit"], nlohmann::json());
  EXPECT_NE(run("export m.safetensors --c m.h --units 32").err.find("no early exit"), std::string::npos);
  EXPECT_EQ(run("export m.safetensors --c m.h").err, "");
}

}  // namespace
}  // namespace accrete::cli_test::dial_test
