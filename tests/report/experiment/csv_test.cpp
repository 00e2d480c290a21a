#include <gtest/gtest.h>

#include <cmath>

#include "tests/report/experiment/invented_results.hpp"

namespace accrete::report::csv_test {
namespace {

TEST(ExperimentCsv, WritesTheTableInLongForm) {
  const auto results = read_experiments({experiment::to_result(invented_cell("iris", "gbnn", 0.75, 0.0)),
                                         experiment::to_result(invented_cell("boston", "sgd", 2.5, 0.0))});
  EXPECT_EQ(table_csv(results),
            "profile,task,kind,method,metric,mean,sd,se,parts,paper_mean,paper_sd\n"
            "quick,iris,multiclass,gbnn,accuracy_percent,75,0,0,10,95.73,6.02\n"
            "quick,boston,regression,sgd,rmse,2.5,0,0,10,3.4,0.87\n");
}

TEST(ExperimentCsv, WritesEveryTestFold) {
  auto cell = invented_cell("iris", "gbnn", 0.83, 0.0);
  cell.parts.resize(2);
  cell.parts[0].settings = {{"learning_rate", "0.1"}, {"subsample", "1"}};
  cell.parts[1].score = std::nan("");
  EXPECT_EQ(scores_csv(read_experiments({experiment::to_result(cell)})),
            "profile,task,method,repeat,fold,score,settings\n"
            "quick,iris,gbnn,0,0,83,learning_rate=0.1;subsample=1\n"
            "quick,iris,gbnn,0,1,,hidden=12\n");
}

}  // namespace
}  // namespace accrete::report::csv_test
