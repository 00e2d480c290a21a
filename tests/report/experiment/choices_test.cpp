#include <gtest/gtest.h>

#include "report/experiment/sections.hpp"
#include "tests/report/experiment/invented_results.hpp"

namespace accrete::report::choices_test {
namespace {

TEST(ExperimentChoices, CountsValuesInNumericOrder) {
  auto other = invented_cell("sonar", "sgd", 0.9);
  other.parts[0].settings = {{"hidden", "1e1"}, {"schedule", "constant"}};
  other.parts[1].settings = {{"schedule", "adaptive"}};
  Document document{"t"};
  add_choices(document,
              quick_table({experiment::to_result(invented_cell("iris", "sgd", 0.9)),
                           experiment::to_result(invented_cell("wine", "sgd", 0.9)), experiment::to_result(other)}));
  const RichTable table = table_with_id(document, "choices-quick");
  EXPECT_FALSE(table.folded.empty());
  const auto hidden = row_of(table, "hidden"), schedule = row_of(table, "schedule");
  ASSERT_EQ(hidden.size(), 4u);
  EXPECT_EQ(hidden[1].text, "1e1: 1, 12: 1, 200: 7");
  EXPECT_EQ(hidden[2].text, "12: 6, 200: 14");
  EXPECT_EQ(hidden[3].text, "\u2013");
  EXPECT_EQ(schedule[1].text, "adaptive: 1, constant: 1");
}

}  // namespace
}  // namespace accrete::report::choices_test
