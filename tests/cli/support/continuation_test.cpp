// After Ctrl-C, the printed command gives the bytes of the uninterrupted fit.

#include <chrono>
#include <cstdlib>
#include <thread>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::continuation_test {
namespace {

using namespace std::chrono_literals;

const std::string fit = " --auto off --units 6000 --max-iter 20";
const std::string checkpoints = " --checkpoint-every 40 -o ";
const std::string header = "a,b,w,g,when,y\n";

class Continuation : public CommandTest {
 protected:
  /// Rows "a,b,w,g,when,y", with or without a header.
  void write_rows(const std::string& name, std::size_t rows, const std::string& header, char delimiter = ',') const {
    std::string text = header;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t a = i * 37 % 101, b = i * 61 % 103;
      for (const std::string& cell :
           {std::to_string(a), b == 7 ? std::string("-") : std::to_string(b), std::to_string(1 + i % 9),
            "0" + std::to_string(i % 3), "2024-0" + std::to_string(1 + i % 9) + "-11"})
        text += cell + delimiter;
      text += std::to_string(a * a + 40 * b * (i % 3) + 11 * i % 17) + "\n";
    }
    write(name, text);
  }

  /// Stops the fit once it has written a checkpoint; returns the line on standard error.
  std::string interrupt(pid_t child, const std::string& model) const {
    for (int i = 0; i < 3000 && !exists(model + ".checkpoint"); ++i) std::this_thread::sleep_for(10ms);
    ::kill(child, SIGINT);
    const CommandResult end = wait(child);
    EXPECT_EQ(end.code, 130) << end.err;
    const std::size_t line = end.err.find("accrete: stopped by ");
    EXPECT_NE(line, std::string::npos) << end.err;
    return line == std::string::npos ? "" : end.err.substr(line);
  }

  /// The result of the command that the line prints, run by a shell.
  int run_printed(const std::string& line) const {
    const std::string lead = "accrete grow ";
    const std::size_t at = line.find(lead);
    if (at == std::string::npos) return -1;
    const std::string command = std::string(ACCRETE_COMMAND) + " grow " + line.substr(at + lead.size());
    return std::system(("cd " + folder_.string() + " && " + command.substr(0, command.find('\n')) + " -q").c_str());
  }

  void expect_same_bytes(const std::string& arguments) const {
    ok(arguments + " -q -o whole.safetensors");
    const std::string line = interrupt(start(arguments + checkpoints + "cut.safetensors"), "cut.safetensors");
    EXPECT_LT(json("inspect cut.safetensors")["units"], 6000) << arguments;
    EXPECT_EQ(run_printed(line), 0) << line;
    EXPECT_TRUE(read_file(path("cut.safetensors")) == read_file(path("whole.safetensors"))) << line;
    fs::remove(path("cut.safetensors.checkpoint"));
  }
};

TEST_F(Continuation, KeepsTheWeightColumnAlsoIfItWasGivenByIndex) {
  write_rows("rows.csv", 400, header);
  expect_same_bytes("train rows.csv --missing-values - --weight-column 2" + fit);
}

TEST_F(Continuation, KeepsTheValidationFile) {
  write_rows("rows.csv", 400, header);
  write_rows("valid.csv", 90, header);
  expect_same_bytes("train rows.csv --missing-values - --validation valid.csv" + fit);
}

TEST_F(Continuation, KeepsTheFormatOfTheFile) {
  write_rows("rows.csv", 400, "", ';');
  expect_same_bytes("train rows.csv --missing-values - --no-header --delimiter ; --weight-column c2" + fit);
}

TEST_F(Continuation, TakesTreatmentOfColumnsAndWeightsOfGroupsFromTheModel) {
  write_rows("rows.csv", 400, header);
  expect_same_bytes(
      "train rows.csv --numeric b --ignore w,g --group-weight g:01=3 --categorical a --validation-fraction 0.2" + fit);
}

TEST_F(Continuation, SaysThatAFitWithIntervalsMustRunAgain) {
  write_rows("rows.csv", 400, header);
  const std::string line = interrupt(
      start("train rows.csv --missing-values - --interval 0.9" + fit + checkpoints + "m.safetensors"), "m.safetensors");
  EXPECT_EQ(line.find("accrete grow"), std::string::npos) << line;
  EXPECT_NE(line.find("grow cannot continue a fit with --interval: run the same command again with --resume"),
            std::string::npos)
      << line;
}

TEST_F(Continuation, QuotesNamesForTheShell) {
  fs::create_directory(path("a folder"));
  write_rows("a folder/it's $rows.csv", 400, header);
  const std::vector<std::string> shared{
      "train", "a folder/it's $rows.csv", "--missing-values", "-", "--auto", "off", "--units", "6000", "--max-iter",
      "20"};
  std::vector<std::string> whole = shared, cut = shared;
  whole.insert(whole.end(), {"-o", "whole.safetensors"});
  cut.insert(cut.end(), {"--checkpoint-every", "40", "-o", "a folder/cut model"});
  ASSERT_EQ(wait(start(whole)).code, 0);
  const std::string line = interrupt(start(cut), "a folder/cut model");
  EXPECT_EQ(run_printed(line), 0) << line;
  EXPECT_TRUE(read_file(path("a folder/cut model")) == read_file(path("whole.safetensors"))) << line;
}

}  // namespace
}  // namespace accrete::cli_test::continuation_test
