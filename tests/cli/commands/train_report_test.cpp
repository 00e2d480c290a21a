// What train prints: one number of units with its reason, losses in known units, defaults in the help.

#include <cmath>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::train_report_test {
namespace {

class TrainReport : public CommandTest {
 protected:
  std::size_t count(const std::string& text, const std::string& word) const {
    std::size_t found = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  }
};

TEST_F(TrainReport, StatesOneNumberOfUnitsAndWhy) {
  ok("data make friedman1 -n 200 -o f.csv");
  const std::string text = ok("train f.csv -o m.safetensors --preset fast");
  EXPECT_EQ(count(text, "unit"), 1u) << text;
  EXPECT_NE(text.find("held-out loss"), std::string::npos) << text;
  EXPECT_EQ(ok("train f.csv --units 20 -o m.safetensors --preset fast").find(" in 10 steps:"), std::string::npos)
      << "given units need no reason";
}

TEST_F(TrainReport, ShowsTheRmseOfASquaredLoss) {
  ok("data make friedman1 -n 200 -o f.csv");
  const auto report = json("train f.csv --units 20 --auto off -o m.safetensors");
  EXPECT_NEAR(report["train_rmse"], std::sqrt(2.0 * report["train_loss"].get<double>()), 1e-12);
  EXPECT_NEAR(report["train_rmse"], json("evaluate m.safetensors f.csv")["results"][0]["rmse"], 1e-4);
  EXPECT_NE(ok("train f.csv --units 20 --auto off -o m.safetensors").find("(RMSE "), std::string::npos);
  ok("data make ringnorm -n 200 -o r.csv");
  EXPECT_EQ(ok("train r.csv --units 20 --auto off -o m.safetensors").find("RMSE"), std::string::npos);
}

TEST_F(TrainReport, BlamesAPenaltyThatIsTooLarge) {
  for (const std::string data : {"ringnorm", "friedman1"}) {
    ok("data make " + data + " -n 200 -o t.csv");
    for (const char* alpha : {"1e4", "1e9"}) {
      const CommandResult end = run("train t.csv --auto off --units 20 -o m.safetensors --alpha " + std::string(alpha));
      EXPECT_NE(end.err.find("--alpha"), std::string::npos) << data << " " << alpha << ": " << end.err;
      EXPECT_EQ(end.err.find("--learning-rate"), std::string::npos) << end.err;
    }
    EXPECT_EQ(run("train t.csv --auto off --units 20 -o m.safetensors --alpha 1").err, "");
  }
}

TEST_F(TrainReport, HelpStatesDefaultsAndPresets) {
  std::string help = ok("train --help");
  std::string words;  // without the line breaks of the help
  for (const char c : help)
    if (!std::isspace(static_cast<unsigned char>(c)))
      words += c;
    else if (!words.ends_with(' '))
      words += ' ';
  EXPECT_NE(
      words.find("how much effort goes into choosing parameters: fast, default or best; paper: the paper's values"),
      std::string::npos);
  EXPECT_NE(words.find("hidden units of the finished network (a whole number, at least 1, at most 1000000000; default: "
                       "chosen for the data)"),
            std::string::npos);
  EXPECT_NE(words.find("default: 0.9)"), std::string::npos) << "momentum";
}

TEST_F(TrainReport, ExplainsPlusMinus) {
  ok("data make ringnorm -n 100 -o r.csv");
  const std::string text = ok("cv r.csv --units 8 --auto off --folds 4");
  EXPECT_NE(text.find("± standard error of the mean"), std::string::npos) << text;
  const auto report = json("cv r.csv --units 8 --auto off --folds 4");
  char shown[64];
  std::snprintf(shown, sizeof shown, "± %.2f %%", 100.0 * report["metrics"]["accuracy"]["se"].get<double>());
  EXPECT_NE(text.find(shown), std::string::npos) << text << shown;
}

}  // namespace
}  // namespace accrete::cli_test::train_report_test
