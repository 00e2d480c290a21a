// Columns that are not what they seem: text that is nearly numbers, other number formats, identifiers, ignored columns.

#include <fmt/format.h>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::columns_test {
namespace {

class Columns : public CommandTest {
 protected:
  /// 60 rows of the columns a and b and the target y = 2 a; `cell` gives a's text.
  template <class Cell>
  void write_rows(const std::string& name, const Cell& cell, char delimiter = ',') const {
    std::string text = fmt::format("a{0}b{0}y\n", delimiter);
    for (int i = 0; i < 60; ++i)
      text += fmt::format("{1}{0}{2}{0}{3}\n", delimiter, cell(i), i % 3, 2 * i + 0.5 * (i % 2));
    write(name, text);
  }
  std::string kind_of(const std::string& input) const {
    const auto model = json("inspect m.safetensors");
    for (const auto& entry : model["inputs"])
      if (entry["name"] == input) return entry["kind"];
    return "";
  }
};

constexpr const char* quick = " --auto off --units 4 -o m.safetensors";

TEST_F(Columns, SaysWhichCellMakesAColumnText) {
  write_rows("in.csv", [](int i) { return i == 49 ? std::string("-") : std::to_string(i); });
  const std::string note =
      "accrete: column 'a' is text because of '-' in data row 50 (counting from 1); 59 of 60 values are numbers; to "
      "read them as numbers, use --missing-values - or --numeric a\n";
  EXPECT_EQ(run(std::string("train in.csv") + quick).err, note);
  EXPECT_EQ(kind_of("a"), "text");
  for (const char* command : {"cv in.csv --folds 2 --units 4 --auto off", "compare in.csv --folds 2 --methods accrete",
                              "train in.csv --method network --max-iter 2 -o n.safetensors"})
    EXPECT_NE(run(command).err.find(note), std::string::npos) << command;

  write_rows("two.csv", [](int i) { return i % 30 == 9 ? std::string(i < 30 ? "." : "#N/A") : std::to_string(i); });
  EXPECT_NE(run(std::string("train two.csv") + quick)
                .err.find("'.' in data row 10 (counting from 1); 58 of 60 values are numbers; to read them as numbers, "
                          "use --missing-values "
                          "'.,#N/A' or --numeric a"),
            std::string::npos);
  EXPECT_EQ(run(std::string("train two.csv --missing-values .,#N/A") + quick).err, "");
  write_rows("comma.csv", [](int i) { return i == 9 ? std::string("\"1,5\"") : fmt::format("{}.5", i); });
  EXPECT_NE(run(std::string("train comma.csv") + quick).err.find("to read them as numbers, use --numeric a\n"),
            std::string::npos);

  EXPECT_EQ(run(std::string("train in.csv --missing-values -") + quick).err, "");
  EXPECT_EQ(kind_of("a"), "numeric");
  EXPECT_EQ(lines(ok("predict m.safetensors in.csv")), 61u) << "the model knows the spelling";
  EXPECT_EQ(run(std::string("train in.csv --numeric a") + quick).err,
            "accrete: column 'a': 1 of 60 values are not numbers and count as missing\n");
  EXPECT_EQ(kind_of("a"), "numeric");
  EXPECT_EQ(lines(ok("predict m.safetensors in.csv")), 61u);
  EXPECT_EQ(json("evaluate m.safetensors in.csv")["rows"], 60);
}

TEST_F(Columns, ReadsDecimalCommasInTrainingAndPrediction) {
  write_rows(
      "comma.csv", [](int i) { return fmt::format("{},5", i); }, ';');
  write_rows(
      "point.csv", [](int i) { return fmt::format("{}.5", i); }, ';');
  const auto trained = run(std::string("train comma.csv") + quick);
  EXPECT_EQ(trained.err, "accrete: column 'a' is read as numbers: '0,5' is 0.5\n");
  EXPECT_EQ(kind_of("a"), "numeric");
  const std::string predictions = ok("predict m.safetensors comma.csv");
  ok("train point.csv --auto off --units 4 -o p.safetensors");
  EXPECT_EQ(predictions, ok("predict p.safetensors point.csv")) << "the same numbers";
  ok("grow m.safetensors comma.csv --units 8 -o m.safetensors");
  ok("train point.csv --auto off --units 8 -o p.safetensors");
  EXPECT_EQ(ok("predict m.safetensors comma.csv"), ok("predict p.safetensors point.csv"));
}

TEST_F(Columns, ReadsDecimalCommasInTheTarget) {
  const auto rows = [](const char* point) {
    std::string text = "a;y\n";
    for (int i = 0; i < 60; ++i) text += fmt::format("{};{}{}5\n", i, i, point);
    return text;
  };
  write("comma.csv", rows(","));
  write("point.csv", rows("."));
  EXPECT_EQ(json(std::string("train comma.csv") + quick)["task"], "regression");
  const auto measured = json("evaluate m.safetensors comma.csv");
  EXPECT_EQ(measured, json("evaluate m.safetensors point.csv"));
  write("other.csv", "a;y\n1;1,250\n");
  EXPECT_EQ(run("evaluate m.safetensors other.csv").code, 2) << "1250 or 1.25";
}

TEST_F(Columns, ReadsValidationRowsLikeTheTrainingRows) {
  write_rows(
      "in.csv", [](int i) { return fmt::format("1.{:03},5", i); }, ';');
  write_rows(
      "more.csv", [](int i) { return fmt::format("1.{:03}", i); }, ';');
  ok(std::string("train in.csv --validation more.csv") + quick);
  // Read as 1.000 to 1.059 the rows would be far from the training rows, and the loss as bad as a constant's.
  const auto curve = json("inspect m.safetensors")["curve"];
  EXPECT_LT(curve.back()["validation_loss"], curve.front()["validation_loss"]);
}

TEST_F(Columns, ExpandsDatesAlikeInTrainingAndPrediction) {
  write_rows("in.csv", [](int i) { return fmt::format("2024-{:02}-{:02} {:02}:30", i % 12 + 1, i % 28 + 1, i % 24); });
  const auto trained = run(std::string("train in.csv") + quick);
  EXPECT_EQ(trained.err, "accrete: column 'a' is read as dates: '2024-01-01 00:30' is 2024-01-01\n");
  EXPECT_EQ(kind_of("a"), "");
  for (const char* part : {"days", "year", "month", "weekday", "hour"})
    EXPECT_EQ(kind_of(std::string("a ") + part), "numeric");
  EXPECT_EQ(lines(ok("predict m.safetensors in.csv")), 61u);
  write("dates.csv", "a,b\n2024-05-01,1\n");
  write("parts.csv", "a days,a year,a month,a weekday,a hour,b\n19844,2024,5,2,0,1\n");
  EXPECT_EQ(ok("predict m.safetensors dates.csv"), ok("predict m.safetensors parts.csv"));
  write("bad.csv", "a,b\n2024-05-32,1\n");
  EXPECT_EQ(run("predict m.safetensors bad.csv").err,
            "accrete: bad.csv: data row 1 (counting from 1), column 'a': '2024-05-32' is not a date; the model needs "
            "dates here\n");
}

TEST_F(Columns, LeavesOutIdentifiers) {
  write_rows("in.csv", [](int i) { return fmt::format("id{}", i); });
  EXPECT_EQ(run(std::string("train in.csv") + quick).err,
            "accrete: column 'a' has a different text in each row and is left out; to use it, add --categorical a\n");
  EXPECT_EQ(kind_of("a"), "");
  EXPECT_EQ(run(std::string("train in.csv --categorical a") + quick).err, "");
  EXPECT_EQ(kind_of("a"), "text");
}

TEST_F(Columns, IgnoresColumns) {
  write_rows("in.csv", [](int i) { return std::to_string(i); });
  ok(std::string("train in.csv --ignore b") + quick);
  EXPECT_EQ(kind_of("b"), "");
  EXPECT_EQ(kind_of("a"), "numeric");
  write("without.csv", "a,y\n1,2\n");
  EXPECT_EQ(lines(ok("predict m.safetensors without.csv")), 2u);
  EXPECT_EQ(json(std::string("train in.csv --ignore y --task regression") + quick)["targets"][0], "b")
      << "the last column that is left";
  EXPECT_EQ(json(std::string("train in.csv --ignore 0 --target -1") + quick)["targets"][0], "y");
  for (const char* command :
       {"cv in.csv --folds 2 --units 4 --auto off --ignore b",
        "search in.csv --folds 2 --units 4 --units-per-step 2 --learning-rate 0.1 --subsample 1 --ignore b",
        "compare in.csv --folds 2 --methods accrete --ignore b"})
    ok(command);
  write("named.csv", "age,height,y\n1,2,3\n4,5,6\n");
  const CommandResult unknown = run("train named.csv --ignore heigth");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_EQ(unknown.err, "accrete: no column 'heigth' in named.csv; columns: age, height, y; did you mean 'height'?\n");
  const CommandResult target = run("train in.csv --target b --ignore b");
  EXPECT_EQ(target.code, 2);
  EXPECT_EQ(target.err, "accrete: --ignore b: the column is the target\n");
  EXPECT_EQ(run("train in.csv --ignore a,b,y").code, 2);
}

TEST_F(Columns, TakesTimeInProportionToTheirNumber) {
  constexpr int count = 50'000;  // minutes if a step compared every column with every other
  std::string text;
  for (int c = 0; c < count; ++c) text += fmt::format("x{},", c);
  text += "y\n";
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < count; ++c) text += fmt::format("{},", (c * 7919 + r * 104729) % 10);
    text += fmt::format("{}\n", 1.5 * r);
  }
  write("in.csv", text);
  ok("train in.csv --auto off --units 2 --units-per-step 2 --max-iter 2 -o m.safetensors");
  EXPECT_EQ(lines(ok("predict m.safetensors in.csv")), 7u);
}

TEST_F(Columns, MeasuresTheRowsOfKnownClasses) {
  write("in.csv", "x,y\n1,no\n2,no\n8,yes\n9,yes\n");
  ok(std::string("train in.csv") + quick);
  write("new.csv", "x,y\n1,no\n2,perhaps\n8,yes\n9,perhaps\n");
  const CommandResult end = run("evaluate m.safetensors new.csv --json");
  EXPECT_EQ(end.code, 0);
  EXPECT_EQ(end.err, "accrete: 2 of 4 rows are not measured: the model does not know the class perhaps\n");
  const auto measured = nlohmann::json::parse(end.out);
  EXPECT_EQ(measured["rows"], 2);
  EXPECT_EQ(measured["rows_of_unknown_class"], 2);
  write("known.csv", "x,y\n1,no\n8,yes\n");
  EXPECT_EQ(measured["results"], json("evaluate m.safetensors known.csv")["results"]);
  write("none.csv", "x,y\n1,perhaps\n");
  EXPECT_EQ(run("evaluate m.safetensors none.csv").code, 1) << "nothing to measure";
}

TEST_F(Columns, EscapesControlCharacters) {
  write("in.csv", "\"a\x1b[31m\n\",y\n1,2\n2,3\n");
  const CommandResult end = run("train in.csv --target z");
  EXPECT_EQ(end.err.find('\x1b'), std::string::npos);
  EXPECT_NE(end.err.find("a\\x1b[31m\\n"), std::string::npos) << end.err;
  ok(std::string("train in.csv") + quick);
  const std::string inspected = ok("inspect m.safetensors");
  EXPECT_EQ(inspected.find('\x1b'), std::string::npos);
  EXPECT_NE(inspected.find("a\\x1b[31m\\n"), std::string::npos) << inspected;
}

TEST_F(Columns, CountsTheColumnsOfTheFile) {
  ok("data make houses -n 80 -o houses.csv");
  const std::string dates = ok(std::string("train houses.csv") + quick);
  EXPECT_NE(dates.find("80 training rows, 6 columns as 13 features\n"), std::string::npos) << dates;
  const std::string numbers = ok("train houses.csv --ignore district,sold,rooms --auto off --units 4 -o m.safetensors");
  EXPECT_NE(numbers.find("80 training rows, 3 columns\n"), std::string::npos) << numbers;
}

}  // namespace
}  // namespace accrete::cli_test::columns_test
