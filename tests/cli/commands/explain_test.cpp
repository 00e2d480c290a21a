// accrete explain: contributions of columns as CSV.

#include <cmath>
#include <map>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::explain_test {
namespace {

/// The columns of a CSV file of numbers, by name.
std::map<std::string, std::vector<double>> columns_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> names;
  std::map<std::string, std::vector<double>> columns;
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    const bool header = names.empty();
    std::size_t at = 0;
    for (std::string cell; std::getline(cells, cell, ',');)
      if (header)
        names.push_back(cell);
      else
        columns[names.at(at++)].push_back(std::stod(cell));
  }
  return columns;
}

class Explain : public CommandTest {};

TEST_F(Explain, WritesContributionsThatAddUpToThePrediction) {
  ok("data make friedman1 -n 100 -o f.csv");
  ok("train f.csv --units 12 --auto off -o m.safetensors -q");
  for (const std::string units : {"", " --units 5"}) {
    ok("explain m.safetensors f.csv -o c.csv -q" + units);
    const auto table = columns_of(read_file(path("c.csv")));
    const auto prediction = columns_of(ok("predict m.safetensors f.csv" + units)).at("prediction");
    ASSERT_EQ(table.size(), 12u) << "ten columns, baseline and score";
    ASSERT_EQ(prediction.size(), 100u);
    for (std::size_t r = 0; r < 100; ++r) {
      double sum = 0.0;
      for (const auto& [name, values] : table)
        if (name != "score") sum += values.at(r);
      EXPECT_NEAR(sum, table.at("score")[r], 1e-9);
      EXPECT_NEAR(sum, prediction[r], 1e-4);
      EXPECT_EQ(table.at("baseline")[r], table.at("baseline")[0]);
    }
  }
}

TEST_F(Explain, WritesLogOddsOfTheSecondOfTwoClasses) {
  ok("data make ringnorm -n 100 -o r.csv");
  ok("train r.csv --units 12 --auto off -o m.safetensors -q");
  const auto table = columns_of(ok("explain m.safetensors r.csv"));
  std::istringstream lines(ok("predict m.safetensors r.csv --proba"));
  std::string line;
  std::getline(lines, line);
  for (std::size_t r = 0; std::getline(lines, line); ++r) {
    const double p = std::stod(line.substr(line.rfind(',') + 1));
    EXPECT_NEAR(1.0 / (1.0 + std::exp(-table.at("score").at(r))), p, 1e-5);
  }
}

TEST_F(Explain, NamesTheClassOfEachOfSeveralScores) {
  ok("data make waveform -n 90 -o w.csv");
  ok("train w.csv --units 12 --auto off -o m.safetensors -q");
  const auto all = columns_of(ok("explain m.safetensors w.csv"));
  ASSERT_EQ(all.size(), 3u * 23u) << "21 columns, baseline and score of three classes";
  std::string name;
  for (const auto& [column, values] : all)
    if (column.starts_with("score:")) name = column.substr(6);
  const auto one = columns_of(ok("explain m.safetensors w.csv --class " + name));
  EXPECT_EQ(one.at("score"), all.at("score:" + name));
  EXPECT_EQ(one.size(), 23u);
}

TEST_F(Explain, KeepsTheNamesOfColumnsApart) {
  std::string table = "score,x,y\n";
  for (int r = 0; r < 30; ++r)
    table += std::to_string(r % 7) + "," + std::to_string(r % 3) + "," + std::to_string(r) + "\n";
  write("t.csv", table);
  ok("train t.csv --target y --units 4 --auto off -o m.safetensors -q");
  EXPECT_TRUE(ok("explain m.safetensors t.csv").starts_with("score,x,baseline,score_\n"));
}

TEST_F(Explain, ReportsAsJson) {
  ok("data make friedman1 -n 60 -o f.csv");
  ok("train f.csv --units 12 --units-per-step 3 --auto off -o m.safetensors -q");
  const auto report = json("explain m.safetensors f.csv --units 7 -o c.csv");
  EXPECT_EQ(report["rows"], 60);
  EXPECT_EQ(report["columns"], 10);
  EXPECT_EQ(report["units"], 6);
  EXPECT_EQ(report["output"], "c.csv");
}

TEST_F(Explain, RefusesMisuseInOneLine) {
  ok("data make waveform -n 60 -o w.csv");
  ok("train w.csv --units 4 --auto off -o m.safetensors -q");
  ok("train w.csv --method network --hidden 4 --max-iter 5 -o plain.safetensors -q");
  const auto refuse = [&](const std::string& arguments, const std::string& reason) {
    const CommandResult end = run("explain " + arguments);
    EXPECT_EQ(end.code, 2) << arguments;
    EXPECT_EQ(lines(end.err), 1u) << end.err;
    EXPECT_NE(end.err.find(reason), std::string::npos) << end.err;
    EXPECT_FALSE(exists("c.csv"));
  };
  refuse("m.safetensors w.csv --json", "--json needs -o FILE");
  refuse("m.safetensors w.csv -o c.csv --class 9", "the model has no score for '9'");
  refuse("m.safetensors w.csv -o c.csv --units 5", "5 units requested");
  refuse("plain.safetensors w.csv -o c.csv", "plain.safetensors: contributions need a boosted network");
  EXPECT_EQ(run("explain m.safetensors missing.csv -o c.csv").code, 1);
  EXPECT_FALSE(exists("c.csv"));
}

}  // namespace
}  // namespace accrete::cli_test::explain_test
