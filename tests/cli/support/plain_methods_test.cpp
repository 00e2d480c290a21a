// train --method network and adaboost, and the other commands on their models.

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::plain_methods_test {
namespace {

class PlainMethods : public CommandTest {
 protected:
  PlainMethods() { ok("data make tic-tac-toe -o ttt.csv"); }

  std::string refused(const std::string& arguments, int code = 2) const {
    const CommandResult end = run(arguments);
    EXPECT_EQ(end.code, code) << arguments << "\n" << end.err;
    EXPECT_EQ(lines(end.err), 1u) << end.err;
    return end.err;
  }
};

TEST_F(PlainMethods, TrainANetworkEndToEnd) {
  const auto report =
      json("train ttt.csv --target target --method network --hidden 40,20 --solver lbfgs --seed 3 -o net.safetensors");
  EXPECT_EQ(report["method"], "network");
  EXPECT_EQ(report["units"], 60);
  EXPECT_EQ(report["parameters"]["hidden"], (nlohmann::json{40, 20}));
  EXPECT_EQ(report["parameters"]["seed"], 3);
  EXPECT_EQ(report["iterations"].get<std::size_t>() > 5, true);
  EXPECT_GT(json("evaluate net.safetensors ttt.csv")["results"][0]["accuracy"], 0.99);
  ok("predict net.safetensors ttt.csv --proba -o p.csv");
  EXPECT_TRUE(read_file(path("p.csv")).starts_with("prediction,p_negative,p_positive\n"));
  EXPECT_EQ(lines(read_file(path("p.csv"))), 959u);
  const std::string seen = ok("inspect net.safetensors");
  EXPECT_NE(seen.find("27 features -> 40, 20 relu units -> 1 output\n"), std::string::npos) << seen;
  EXPECT_NE(seen.find("solver = lbfgs"), std::string::npos);
  const auto facts = json("inspect net.safetensors");
  EXPECT_EQ(facts["method"], "network");
  EXPECT_EQ(facts["networks"][0]["widths"], (nlohmann::json{27, 40, 20, 1}));
  EXPECT_EQ(facts["curve"].size(), report["iterations"]);
}

TEST_F(PlainMethods, TrainAdaBoostEndToEnd) {
  const auto report =
      json("train ttt.csv --method adaboost --estimators 30 --units-per-step 3 --activation tanh -o ada.safetensors");
  EXPECT_EQ(report["networks"], 30);
  EXPECT_EQ(report["units"], 90);
  EXPECT_GT(json("evaluate ada.safetensors ttt.csv")["results"][0]["accuracy"], 0.9);
  const std::string seen = ok("inspect ada.safetensors");
  EXPECT_NE(seen.find("30 of 27 features -> 3 tanh units -> 1 output\n"), std::string::npos) << seen;
  EXPECT_NE(seen.find("weighted error"), std::string::npos);
  EXPECT_EQ(lines(ok("predict ada.safetensors ttt.csv")), 959u);
}

TEST_F(PlainMethods, GiveTheSameBytesForAnyThreads) {
  for (const std::string arguments : {"--method network --max-iter 3", "--method adaboost --estimators 3"}) {
    ok("train ttt.csv --threads 1 -o a.safetensors " + arguments);
    ok("train ttt.csv --threads 3 -o b.safetensors " + arguments);
    EXPECT_EQ(read_file(path("a.safetensors")), read_file(path("b.safetensors"))) << arguments;
  }
}

TEST_F(PlainMethods, RefuseUnsupportedCommandsInOneLine) {
  ok("train ttt.csv --method network --max-iter 2 -o net.safetensors");
  const std::string why = "the model is a plain network, which has no dial: predictions use all units";
  for (const char* arguments :
       {"predict net.safetensors ttt.csv --units 10", "evaluate net.safetensors ttt.csv --units 10",
        "evaluate net.safetensors ttt.csv --units all"})
    EXPECT_NE(refused(arguments).find(why), std::string::npos) << arguments;
  for (const char* arguments : {"export net.safetensors --c x.h", "export net.safetensors --onnx x.onnx",
                                "grow net.safetensors ttt.csv --units 100 -o x.safetensors"})
    EXPECT_NE(refused(arguments).find("needs a model of the method 'boosting'"), std::string::npos) << arguments;
  EXPECT_FALSE(exists("x.h") || exists("x.onnx") || exists("x.safetensors"));
}

TEST_F(PlainMethods, RefuseFlagsOfOtherMethods) {
  EXPECT_NE(refused("train ttt.csv --hidden 10").find("--hidden: only for --method network"), std::string::npos);
  EXPECT_NE(refused("train ttt.csv --method network --units 10").find("--units"), std::string::npos);
  EXPECT_NE(refused("train ttt.csv --method adaboost --hidden 10").find("--hidden"), std::string::npos);
  EXPECT_NE(refused("train ttt.csv --method network --hidden 10,x").find("whole numbers"), std::string::npos);
  EXPECT_NE(refused("train ttt.csv --method forest").find("boosting, network, adaboost"), std::string::npos);
  for (const char* flag : {"--preset paper", "--validation ttt.csv", "--checkpoint-every 5", "--resume"})
    EXPECT_NE(
        refused(std::string("train ttt.csv --method network ") + flag).find(": not available with --method network"),
        std::string::npos)
        << flag;
}

TEST_F(PlainMethods, SaveTheModelAfterCtrlC) {
  const pid_t child =
      start("train ttt.csv --method network --hidden 300,300 --max-iter 100000 --tolerance 0 -o a.safetensors");
  ::usleep(700'000);
  ::kill(child, SIGINT);
  const CommandResult end = wait(child);
  EXPECT_EQ(end.code, 130) << end.err;
  EXPECT_NE(end.err.find("stopped by Ctrl-C after"), std::string::npos) << end.err;
  EXPECT_EQ(json("inspect a.safetensors")["method"], "network");
}

}  // namespace
}  // namespace accrete::cli_test::plain_methods_test
