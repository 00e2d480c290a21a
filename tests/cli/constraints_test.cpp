// Monotone columns and interaction groups from the command line.

#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::constraints_test {
namespace {

class ConstraintFlags : public CommandTest {
 protected:
  ConstraintFlags() {
    std::string text = "age,\"price,net\",colour,when,y\n";
    for (int i = 0; i < 80; ++i)
      text += fmt::format("{},{},{},2024-{:02}-{:02},{}\n", i % 17, (i * 7) % 23, i % 3 ? "red" : "blue", 1 + i % 12,
                          1 + i % 28, std::sin(i % 17) + (i * 7) % 23 * (i % 5));
    write("in.csv", text);
  }

  void expect_refusal(const std::string& flags, const std::string& text) const {
    const CommandResult end = run("train in.csv --quiet -o no.safetensors " + flags);
    EXPECT_EQ(end.code, 2) << flags;
    EXPECT_EQ(end.err, "accrete: " + text + "\n");
  }
};

constexpr const char* flags = " --monotone age:+,\"price,net\":- --interactions age,colour;\"price,net\" --auto off";

TEST_F(ConstraintFlags, AreKeptByModelsAndWhatGrowsFromThem) {
  ok(std::string("train in.csv --units 8 -o m.safetensors") + flags);
  ok("grow m.safetensors in.csv --units 16 -o grown.safetensors");
  ok(std::string("train in.csv --units 16 -o whole.safetensors") + flags);
  for (const char* model : {"m", "grown", "whole"}) {
    const auto parameters = json(fmt::format("inspect {}.safetensors", model))["parameters"];
    EXPECT_EQ(parameters["monotone"], "age:+,\"price,net\":-") << model;
    EXPECT_EQ(parameters["interactions"], "age,colour;\"price,net\"") << model;
  }
  std::string rows = "age,\"price,net\",colour,when\n";
  for (int i = 0; i < 100; ++i) rows += fmt::format("{},3,red,2024-05-05\n", 0.2 * i);
  write("rows.csv", rows);
  const std::string predictions = ok("predict grown.safetensors rows.csv");
  EXPECT_EQ(predictions, ok("predict whole.safetensors rows.csv"));
  std::istringstream lines(predictions);
  std::string line;
  std::getline(lines, line);
  for (double before = -INFINITY; std::getline(lines, line);) {
    EXPECT_GE(std::stod(line), before);
    before = std::stod(line);
  }
  EXPECT_EQ(run("grow m.safetensors in.csv --quiet --units 16 --interactions none -o no.safetensors").err,
            "accrete: the model was made with --interactions age,colour;\"price,net\", which cannot change when it "
            "grows\n");
}

TEST_F(ConstraintFlags, AreRefusedInOneLine) {
  expect_refusal("--monotone aeg:+",
                 "--monotone names the column 'aeg', which the model does not read; did you mean 'age'?");
  expect_refusal("--monotone age", "--monotone age: must be none, or columns with + or -, such as age:+,price:-");
  expect_refusal("--monotone colour:+",
                 "--monotone names the column 'colour', which is a category; it must be a number");
  expect_refusal("--monotone when:+", "--monotone names the column 'when', which is a date; it must be a number");
  expect_refusal("--monotone age:+,age:-", "--monotone age:+,age:-: names the column 'age' twice");
  expect_refusal("--monotone age:+ --solver sgd", "--monotone age:+: needs --solver lbfgs, not sgd");
  expect_refusal("--monotone age:+ --objective projected",
                 "--monotone age:+: cannot be used with --objective projected; use residual or direct");
  expect_refusal("--interactions age,;",
                 "--interactions age,;: must be all, none, or groups of columns, such as a,b;c,d");
  expect_refusal("--interactions age,hue", "--interactions names the column 'hue', which the model does not read");
}

}  // namespace
}  // namespace accrete::cli_test::constraints_test
