// accrete evaluate: every metric of the task, and precision and recall of each class. Training by a metric.

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::evaluate_test {
namespace {

class Evaluate : public CommandTest {};

TEST_F(Evaluate, ReportsPrecisionAndRecallOfEachClass) {
  ok("data make waveform -n 150 -o t.csv");
  ok("train t.csv --units 12 --auto off -o m.safetensors -q");
  const auto result = json("evaluate m.safetensors t.csv")["results"][0];
  for (const char* name : {"accuracy", "log_loss", "auc", "balanced_accuracy", "f1"})
    EXPECT_TRUE(result[name].is_number()) << name;
  double recalls = 0.0, rows = 0.0;
  for (const auto& one : result["classes"]) {
    recalls += one["recall"].get<double>();
    rows += one["rows"].get<double>();
  }
  EXPECT_EQ(rows, 150.0);
  EXPECT_NEAR(recalls / static_cast<double>(result["classes"].size()), result["balanced_accuracy"].get<double>(),
              1e-12);
  const std::string text = ok("evaluate m.safetensors t.csv");
  EXPECT_NE(text.find("class"), std::string::npos);
  EXPECT_NE(text.find("precision"), std::string::npos);
}

TEST_F(Evaluate, ReportsRegressionMetrics) {
  ok("data make friedman1 -n 100 -o f.csv");
  ok("train f.csv --units 12 --auto off --loss quantile --quantile 0.9 -o m.safetensors -q");
  const auto result = json("evaluate m.safetensors f.csv")["results"][0];
  for (const char* name : {"rmse", "mae", "r2", "mape", "pinball"}) EXPECT_TRUE(result[name].is_number()) << name;
  EXPECT_FALSE(result.contains("classes"));
  EXPECT_NE(result["pinball"].get<double>(), 0.5 * result["mae"].get<double>()) << "at the model's quantile";
}

TEST_F(Evaluate, TrainsByAMetric) {
  ok("data make ringnorm -n 300 -o r.csv");
  const std::string train = "train r.csv --units 80 --auto off --validation-fraction 0.3 -o m.safetensors ";
  const auto report = json(train + "--metric auc");
  EXPECT_GT(report["validation_metric"], 0.5);
  EXPECT_EQ(report["parameters"]["metric"], "auc");
  EXPECT_EQ(run("train r.csv --metric auc -o m.safetensors").code, 2) << "there is no validation set";
  EXPECT_EQ(run(train + "--metric rmse").code, 2) << "a metric of another task";
  EXPECT_EQ(run("cv r.csv --metric auc").code, 2) << "there is no validation set";
}

}  // namespace
}  // namespace accrete::cli_test::evaluate_test
