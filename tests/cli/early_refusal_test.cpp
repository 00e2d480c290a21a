// Flags are refused before the rows are read. The data files have a good header and a bad row, which would be reported
// if the rows were read first.

#include <fmt/format.h>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::early_refusal_test {
namespace {

struct EarlyCase {
  const char* name;
  std::string arguments;
  std::string expected;
};

void PrintTo(const EarlyCase& early, std::ostream* out) {
  *out << early.name;
}

class EarlyRefusal : public CommandTest, public testing::WithParamInterface<EarlyCase> {
 protected:
  EarlyRefusal() {
    write("bad.csv", "a,b,y\n1,2,3\n4\n");
    write("good.csv", "a,b,y\n1,2,3.5\n2,1,4.5\n3,5,1.5\n4,1,0.25\n");
    write("other.csv", "b,y\n1,2\n3\n");
    write("narrow.csv", "a,y\n1,2\n3\n");
    write("unlabelled.csv", "a,b\n1,2\n3\n");
    write("grid.json", "{\"learning_rate\": [7]}");
  }
};

TEST_P(EarlyRefusal, ComesBeforeTheRows) {
  ok("train good.csv --units 8 -o m.safetensors");
  const CommandResult end = run(GetParam().arguments);
  EXPECT_NE(end.code, 0);
  EXPECT_EQ(lines(end.err), 1u) << end.err;
  EXPECT_NE(end.err.find(GetParam().expected), std::string::npos) << end.err;
  EXPECT_EQ(end.err.find("line 3"), std::string::npos) << end.err;
}

const std::vector<EarlyCase> cases{
    {"MonotoneName", "train bad.csv -o o --monotone c:+", "--monotone names the column 'c'"},
    {"MonotoneTarget", "train bad.csv -o o --monotone y:+", "--monotone names the column 'y'"},
    {"IgnoredColumn", "train bad.csv -o o --ignore a --interactions a,b", "--interactions names the column 'a'"},
    {"Contradiction", "train bad.csv -o o --units 2 --units-per-step 4", "--units-per-step 4 exceeds --units 2"},
    {"Preset", "train bad.csv -o o --preset fats", "--preset fats"},
    {"LossAndMetric", "train bad.csv -o o --loss poisson --metric auc --validation-fraction 0.2", "--metric auc"},
    {"LossFunction", "train bad.csv -o o --loss custom", "--loss custom"},
    {"IntervalAndOffset", "train bad.csv -o o --interval 0.9 --offset-column a", "--offset-column"},
    {"TargetTwice", "train bad.csv -o o --target y,y", "twice"},
    {"WeightIsTarget", "train bad.csv -o o --weight-column y", "is the target"},
    {"NothingLeft", "train bad.csv -o o --ignore a,b", "no column is left"},
    {"ValidationFile", "train bad.csv -o o --validation nowhere.csv", "nowhere.csv"},
    {"ValidationTarget", "train bad.csv -o o --target a --validation other.csv", "other.csv"},
    {"CvMethod", "cv bad.csv --method forrest", "--method forrest"},
    {"CvContradiction", "cv bad.csv --units 2 --units-per-step 4", "--units-per-step 4 exceeds --units 2"},
    {"CvMonotone", "cv bad.csv --monotone c:+", "--monotone names the column 'c'"},
    {"CvDevice", "cv bad.csv --device tpu", "tpu"},
    {"CompareMethod", "compare bad.csv --methods accrete,forrest", "--methods forrest"},
    {"CompareMetric", "compare bad.csv --metric acuracy", "did you mean 'accuracy'?"},
    {"CompareTask", "compare bad.csv --metric auc --task regression", "--metric auc"},
    {"CompareStore", "compare bad.csv --store no/where.sqlite", "no/where.sqlite"},
    {"SearchMetric", "search bad.csv --metric acuracy", "did you mean 'accuracy'?"},
    {"SearchGrid", "search bad.csv --grid grid.json", "'learning_rate', value 1"},
    {"SearchGridFile", "search bad.csv --grid none.json", "none.json"},
    {"SearchStore", "search bad.csv --store grid.json", "'grid.json' is not an accrete store"},
    {"SearchMonotone", "search bad.csv --monotone c:+", "--monotone names the column 'c'"},
    {"GrowUnits", "grow m.safetensors bad.csv --units 4 -o o", "--units 4: the model already has 8"},
    {"GrowBins", "grow m.safetensors bad.csv --units 16 --bins 4 -o o", "--bins"},
    {"PredictColumn", "predict m.safetensors narrow.csv", "column 'b' is missing"},
    {"PredictOffset", "predict m.safetensors bad.csv --offset-column z", "no column 'z'"},
    {"EvaluateTarget", "evaluate m.safetensors unlabelled.csv", "no column 'y'"},
    {"EvaluateWeight", "evaluate m.safetensors bad.csv --weight-column w", "no column 'w'"},
};

INSTANTIATE_TEST_SUITE_P(Flags, EarlyRefusal, testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace accrete::cli_test::early_refusal_test
