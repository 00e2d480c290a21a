// Bad input gives an exit code, a one-line message with place and rule, and no output file.

#include <fmt/format.h>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::bad_input_test {
namespace {

struct BadCase {
  const char* name;
  std::string arguments;  ///< of accrete; the data is in.csv, the output out.safetensors or out.csv
  std::string data;       ///< of in.csv; not written if empty
  int code;
  std::vector<std::string> expected;
};

void PrintTo(const BadCase& bad, std::ostream* out) {
  *out << bad.name;
}

const std::string good = "x,y\n1,2.5\n2,3.5\n3,4.75\n4,5.25\n";
const std::string train = "train in.csv -o out.safetensors --units 8 ";

class BadInput : public CommandTest {
 protected:
  BadInput() {
    write("train.csv", good);
    ok("train train.csv --units 8 -o m.safetensors");
    write("classes.csv", "x,y\n1,a\n2,b\n3,a\n4,b\n");
    ok("train classes.csv --units 8 -o c.safetensors");
    write("v.checkpoint", good);
  }

  void expect_refusal(const std::string& arguments, int code, const std::vector<std::string>& expected) const {
    const CommandResult end = run(arguments);
    EXPECT_EQ(end.code, code) << arguments << "\n" << end.err;
    EXPECT_EQ(lines(end.err), 1u) << end.err;
    EXPECT_TRUE(end.err.starts_with("accrete: ")) << end.err;
    EXPECT_EQ(end.out, "");
    for (const auto& text : expected)
      EXPECT_NE(end.err.find(text), std::string::npos) << text << " is not in: " << end.err;
    for (const auto& entry : fs::directory_iterator(folder_))
      EXPECT_EQ(entry.path().filename().string().find("out"),
                entry.path().filename() == ".out" ? 1u : std::string::npos)
          << entry.path() << " is left";
  }
};

class BadCases : public BadInput, public testing::WithParamInterface<BadCase> {};

TEST_P(BadCases, PrintsOneLineAndFails) {
  if (!GetParam().data.empty()) write("in.csv", GetParam().data);
  expect_refusal(GetParam().arguments, GetParam().code, GetParam().expected);
}

const std::vector<BadCase> training{
    {"NoFile", train, "", 1, {"in.csv"}},
    {"EmptyFile", train, "\n", 1, {"in.csv", "empty"}},
    {"HeaderOnly", train, "x,y\n", 1, {"in.csv", "no data rows"}},
    {"TargetMissing", train + "--target z", good, 2, {"in.csv", "'z'", "x, y"}},
    {"OneRow", train, "x,y\n1,2\n", 1, {"in.csv", "at least 2 rows"}},
    {"OneClass", train, "x,y\n1,a\n2,a\n", 1, {"in.csv", "'y'", "single class", "'a'"}},
    {"OneNumber", train, "x,y\n1,2\n2,2\n", 1, {"in.csv", "'y'", "single class", "'2'", "--task regression"}},
    {"TargetNan", train, "x,y\n1,2.5\n2,nan\n3,4.5\n", 1, {"in.csv", "row 2", "'y'"}},
    {"TargetGap", train, "x,y\n1,2.5\n2,\n3,4.5\n", 1, {"in.csv", "row 2", "'y'"}},
    {"TargetInfinite", train, "x,y\n1,2.5\n2,inf\n3,4.5\n", 1, {"in.csv", "row 2", "'y'"}},
    {"InfiniteValue", train, "x,y\n1,2.5\n2,3.5\n-inf,4.5\n", 1, {"in.csv", "row 3", "'x'", "infinite"}},
    {"HugeValue", train, "x,y\n1,2.5\n1e60,3.5\n", 1, {"in.csv", "row 2", "'x'"}},
    {"RaggedRow", train, "x,y\n1,2\n3\n", 1, {"in.csv: line 3", "1 field", "header has 2"}},
    {"OpenQuote", train, "x,y\n1,\"2\n3,4\n", 1, {"in.csv: line 2", "quote"}},
    {"NotUtf8", train, "x,y\n1,caf\xE9\n2,b\n", 1, {"in.csv: line 2", "UTF-8"}},
    {"NotUtf8Header", train, "\xE9,y\n1,a\n2,b\n", 1, {"in.csv: line 1", "UTF-8"}},
    {"NulByte", train, std::string("x,y\n1,\0\n", 8), 1, {"in.csv: line 2", "NUL"}},
    {"TwoNames", train, "x,x\n1,2\n", 1, {"in.csv: line 1", "'x'"}},
    {"NoFeature", train, "y\n1\n2\n", 2, {"in.csv", "no column is left"}},
    {"NegativeWeight",
     train + "--weight-column x",
     "z,x,y\n1,-1,2.5\n2,1,3.5\n",
     1,
     {"in.csv: data row 1 (counting from 1)", "'x'", "weight"}},
    {"WeightIsTarget", train + "--weight-column y", good, 2, {"in.csv", "'y'", "is the target", "weight column"}},
    {"TargetTooLarge",
     train + "--task regression",
     "x,y\n1,1e200\n2,3e200\n3,2e200\n",
     1,
     {"in.csv", "'y'", "at most 1e100"}},
    {"TargetTooLargeAsItIs",
     train + "--preset paper --task regression",
     "x,y\n1,1e30\n2,3e30\n3,2e30\n",
     1,
     {"not finite at the start", "target is too large; divide it by a constant"}},
    {"WeightsTooSmall",
     train + "--weight-column w",
     "x,w,y\n1,1e-46,1\n2,1e-46,2\n3,1e-46,3.5\n",
     1,
     {"in.csv", "'w'", "single precision, where numbers below 1e-45 become 0"}},
    {"WeightsTooFarApart",
     train + "--weight-column w",
     "x,w,y\n1,1e38,1\n2,1e-38,2\n3,1e-38,3.5\n",
     1,
     {"in.csv", "'w' go from 1e-38 to 1e+38", "at most 1e+30 times the smallest"}},
    {"TargetTooClose", train, "x,y\n1,1e-200\n2,3e-200\n3,2e-200\n", 1, {"in.csv", "'y'", "at least 1e-100"}},
    {"CountBelowZero",
     train + "--loss poisson",
     "x,y\n1,2\n2,-3\n3,4\n",
     1,
     {"in.csv: data row 2 (counting from 1), column 'y': the target is -3; the poisson loss needs 0 or above"}},
    {"ProbabilityAboveOne",
     train + "--target-proba y",
     "x,y\n1,0.2\n2,1.2\n3,0.4\n",
     1,
     {"in.csv: data row 2 (counting from 1), column 'y': the target is 1.2; the cross_entropy loss needs 0 to 1"}},
    {"StepsWithoutEnd",
     train + "--solver sgd --solver-rate 1e30",
     good,
     1,
     {"no longer finite", "lower --solver-rate"}},
};

const std::vector<BadCase> arguments{
    {"UnitsNone", "train in.csv -o out.safetensors --units 0", good, 2, {"--units 0", "at least 1"}},
    {"UnitsEmpty", "train in.csv -o out.safetensors --units=", good, 2, {"--units"}},
    {"StepBeyondUnits", train + "--units-per-step 9", good, 2, {"--units-per-step 9", "--units 8"}},
    {"RateNone", train + "--learning-rate 0", good, 2, {"--learning-rate 0", "above 0"}},
    {"RateNegative", train + "--learning-rate -1", good, 2, {"--learning-rate -1", "above 0"}},
    {"RateHigh", train + "--learning-rate 1.5", good, 2, {"--learning-rate 1.5", "at most 1"}},
    {"RateWord", train + "--learning-rate fast", good, 2, {"--learning-rate fast", "above 0"}},
    {"RateNan", train + "--learning-rate nan", good, 2, {"--learning-rate nan"}},
    {"NoRowLeft", train + "--subsample 1e-9", good, 2, {"--subsample 1e-09", "4 rows"}},
    {"Preset", train + "--preset good", good, 2, {"good", "default, fast, best, paper"}},
    {"Activation", train + "--activation sine", good, 2, {"--activation sine", "logistic, tanh, relu"}},
    {"Task", train + "--task guess", good, 2, {"'guess'", "regression, binary, multiclass"}},
    {"LossOfClasses", train + "--loss softmax", good, 2, {"--loss softmax", "regression"}},
    {"Threads", train + "--threads -2", good, 2, {"--threads", "whole number"}},
    {"Delimiter", train + "--delimiter xx", good, 2, {"--delimiter xx"}},
    {"UnknownOption", train + "--unit 3", good, 2, {"'--unit'", "accrete train --help"}},
    {"UnknownCommand", "trian in.csv", "", 2, {"'trian'", "accrete --help"}},
    {"NoData", "train -o out.safetensors", "", 2, {"data", "accrete train --help"}},
    {"PatienceAlone", train + "--patience 5", good, 2, {"--patience 5", "--validation"}},
    {"TwoValidations", train + "--validation-fraction 0.1 --validation in.csv", good, 2, {"--validation-fraction"}},
    {"TwoStandardInputs", "train - --validation - -o out.safetensors", "", 2, {"--validation -: standard input holds"}},
    {"QuantileOfTheMean", train + "--loss squared --quantile 0.9", good, 2, {"--quantile 0.9 needs --loss quantile"}},
    {"MomentumOfLbfgs", train + "--momentum 0.5", good, 2, {"--momentum 0.5 needs --solver sgd, not lbfgs"}},
    {"FractionWithoutInterval", train + "--calibration-fraction 0.3", good, 2, {"0.3 needs --interval"}},
    {"BuiltInGrid",
     "search in.csv --folds 2 --units 8 -o out.safetensors",
     good,
     2,
     {"--subsample 0.25: leaves none of the 2 rows; use a larger share; the value is from the built-in grid, which "
      "--subsample replaces"}},
    {"Backend", train + "--backend abacus", good, 2, {"abacus", "cpu, reference"}},
    {"NoFolder", "train in.csv -o none/out.safetensors", good, 1, {"none/out.safetensors", "No such file"}},
    {"Folder", "train in.csv -o .", good, 1, {"'.'", "directory"}},
    {"FullDisk", "train in.csv --units 8 -o /dev/full", good, 1, {"/dev/full", "No space left"}},
    {"CheckpointOverTheData",
     "train in.csv --validation v.checkpoint -o v --checkpoint-every 8",
     good,
     2,
     {"v.checkpoint", "overwrite"}},
    {"OverTheData", "train in.csv -o in.csv", good, 2, {"in.csv", "overwrite"}},
    {"CheckpointNone", train + "--checkpoint-every 0", good, 2, {"--checkpoint-every", "whole number"}},
    {"Folds", "cv in.csv --folds 1", good, 2, {"--folds"}},
    {"FoldsOfRows", "cv in.csv --folds 5", good, 2, {"5 folds", "4 rows"}},
    {"Generator", "data make nonsense -o out.csv", "", 2, {"'nonsense'", "tic-tac-toe"}},
    {"RowsOfAnEnumeration", "data make tic-tac-toe -n 5 -o out.csv", "", 2, {"-n 5", "958"}},
    {"DataFullDisk", "data make spirals -o /dev/full", "", 1, {"/dev/full"}},
};

const std::vector<BadCase> using_models{
    {"TextInNumbers",
     "predict m.safetensors in.csv -o out.csv",
     "x\n1\nword\n",
     1,
     {"in.csv", "row 2", "'x'", "'word' is not a number"}},
    {"ColumnMissing", "predict m.safetensors in.csv -o out.csv", "z\n1\n", 1, {"in.csv", "'x'"}},
    {"InfiniteInput", "predict m.safetensors in.csv -o out.csv", "x\n1\ninf\n", 1, {"in.csv", "row 2", "'x'"}},
    {"ProbaOfNumbers", "predict m.safetensors train.csv --proba -o out.csv", "", 2, {"--proba", "regression"}},
    {"PredictBeyond", "predict m.safetensors train.csv --units 9 -o out.csv", "", 2, {"9 units", "has 8"}},
    {"PredictNone", "predict m.safetensors train.csv --units 0 -o out.csv", "", 2, {"--units"}},
    {"PredictJson", "predict m.safetensors train.csv --json", "", 2, {"--json needs -o"}},
    {"PredictFullDisk", "predict m.safetensors train.csv -o /dev/full", "", 1, {"/dev/full"}},
    {"PredictNoFolder", "predict m.safetensors train.csv -o none/out.csv", "", 1, {"none/out.csv"}},
    {"EvaluateBeyond", "evaluate m.safetensors train.csv --units 4,9", "", 2, {"9 units", "has 8"}},
    {"EvaluateNone", "evaluate m.safetensors train.csv --units 0", "", 2, {"--units 0"}},
    {"EvaluateWord", "evaluate m.safetensors train.csv --units some", "", 2, {"--units some"}},
    {"EvaluateNoTarget", "evaluate m.safetensors in.csv", "x\n1\n", 2, {"in.csv", "'y'"}},
    {"EvaluateNewClass", "evaluate c.safetensors in.csv", "x,y\n1,q\n2,q\n", 1, {"in.csv", "row 1", "'q'", "a, b"}},
    {"GrowSmaller", "grow m.safetensors train.csv --units 8 -o out.safetensors", "", 2, {"--units 8", "already has 8"}},
    {"GrowUnitsMissing", "grow m.safetensors train.csv -o out.safetensors", "", 2, {"--units", "required"}},
    {"GrowOtherActivation",
     "grow m.safetensors train.csv --units 16 --activation relu -o out.safetensors",
     "",
     2,
     {"--activation"}},
    {"NoModel", "inspect nothing.safetensors", "", 1, {"nothing.safetensors"}},
    {"CsvAsModel", "inspect train.csv", "", 1, {"train.csv"}},
    {"CsvAsModelInPredict", "predict train.csv train.csv -o out.csv", "", 1, {"train.csv"}},
    {"FolderAsModel", "inspect .", "", 1, {"not a file"}},
};

const auto case_name = [](const auto& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(Training, BadCases, testing::ValuesIn(training), case_name);
INSTANTIATE_TEST_SUITE_P(Words, BadCases, testing::ValuesIn(arguments), case_name);
INSTANTIATE_TEST_SUITE_P(Models, BadCases, testing::ValuesIn(using_models), case_name);

TEST_F(BadInput, RefusesDamagedModels) {
  const std::string whole = read_file(path("m.safetensors"));
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, whole.size() / 2, whole.size() - 1}) {
    write("bad.safetensors", whole.substr(0, size));
    expect_refusal("predict bad.safetensors train.csv -o out.csv", 1, {"bad.safetensors"});
  }
  for (const std::size_t place : {std::size_t{3}, std::size_t{100}, whole.size() / 2, whole.size() - 5}) {
    std::string flipped = whole;
    flipped[place] = static_cast<char>(flipped[place] ^ 4);
    write("bad.safetensors", flipped);
    expect_refusal("evaluate bad.safetensors train.csv", 1, {"bad.safetensors"});
  }
  std::string newer = whole;
  const std::string version = "\"format_version\":\"1\"";
  ASSERT_NE(newer.find(version), std::string::npos);
  newer.replace(newer.find(version), version.size(), "\"format_version\":\"7\"");
  write("bad.safetensors", newer);
  expect_refusal("inspect bad.safetensors", 1, {"bad.safetensors", "newer accrete", "format 7"});
}

TEST_F(BadInput, RefusesEmptyValues) {
  for (const char* flag : {"--weight-column", "--validation", "--task", "--delimiter", "-o", "--units"}) {
    // An unset shell variable gives an empty argument.
    const std::string arguments =
        fmt::format("cd {} && {} train train.csv {} '' 2> err", folder_.string(), ACCRETE_COMMAND, flag);
    EXPECT_EQ(WEXITSTATUS(std::system(arguments.c_str())), 2) << flag;
    EXPECT_NE(read_file(path("err")).find("the value is empty"), std::string::npos) << flag << read_file(path("err"));
  }
}

TEST_F(BadInput, ReportsAFullDiskButNotAClosedPipe) {
  const std::string command = std::string(ACCRETE_COMMAND) + " data make poker -n 2000 ";
  EXPECT_EQ(WEXITSTATUS(std::system((command + "> /dev/full 2> " + path("err").string()).c_str())), 1);
  EXPECT_NE(read_file(path("err")).find("standard output"), std::string::npos);
  const std::string piped =
      "(" + command + "2> " + path("err").string() + "; echo $? > " + path("rc").string() + ") | true";
  EXPECT_EQ(std::system(piped.c_str()), 0);
  EXPECT_EQ(read_file(path("err")), "") << "a closed pipe is not an error";
  EXPECT_EQ(read_file(path("rc")), "0\n");
}

TEST_F(BadInput, ReportsALimitOnTheSizeOfFiles) {
  const std::string command = fmt::format("cd {} && ulimit -f 8 && {} data make poker -n 9000 -o out.csv 2> err",
                                          folder_.string(), ACCRETE_COMMAND);
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
  EXPECT_NE(read_file(path("err")).find("accrete: cannot write 'out.csv': File too large"), std::string::npos)
      << read_file(path("err"));
}

}  // namespace
}  // namespace accrete::cli_test::bad_input_test
