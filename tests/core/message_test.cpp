#include <gtest/gtest.h>

#include <fmt/ranges.h>

#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"

namespace accrete::core::message_test {
namespace {

std::string shout(const ParameterReference& parameter) {
  return "<" + parameter.name + (parameter.value ? "=" + *parameter.value : "") + ">";
}

TEST(Message, RendersEachParameterThroughTheSpelling) {
  const Message m = message("{} exceeds {}", parameter("units_per_step", 5), parameter("units"));
  EXPECT_EQ(m.text(), "units_per_step 5 exceeds units");
  EXPECT_EQ(m.render(shout), "<units_per_step=5> exceeds <units>");
}

TEST(Message, FormatsOtherArgumentsAsFmtDoes) {
  const std::vector<int> all{1, 2};
  const Message m = message("{{{}}} of {:.2f}, {:>3}{}", "a", 1.0 / 3.0, 7, fmt::join(all, "+"));
  EXPECT_EQ(m.text(), "{a} of 0.33,   71+2");
}

TEST(Message, KeepsTheParametersOfAMessageInsideAnother) {
  const Message inner = message("{}: must be 1", parameter("folds", 0));
  EXPECT_EQ(message("{}, {}", "row 3", inner).render(shout), "row 3, <folds=0>: must be 1");
}

TEST(Message, IsOneLineWhateverANameContains) {
  EXPECT_EQ(message("column '{}': {}", "a\nb\x1b", parameter("units", "\r\t")).text(),
            "column 'a\\nb\\x1b': units \\r\\t");
  EXPECT_STREQ(DataError("two\nlines").what(), "two\\nlines");
}

TEST(Message, LeavesBracesAndFlagsInArgumentsAlone) {
  EXPECT_EQ(message("'{}': {}", "{} --units", parameter("seed")).render(shout), "'{} --units': <seed>");
}

TEST(Message, EqualsAnotherOfTheSameTextAndParameters) {
  EXPECT_EQ(message("{} b", "a"), Message("a b"));
  EXPECT_NE(message("{}", parameter("units")), Message("units"));
}

TEST(Message, IsCutOffWhereItQuotesALargePartOfAFile) {
  EXPECT_EQ(Message(std::string(1'000, 'x')).text(), std::string(1'000, 'x'));
  const std::string text = Message("'" + std::string(1'000, '\0') + "' is not a number").text();
  EXPECT_LT(text.size(), 2'000u);
  EXPECT_TRUE(text.ends_with("..."));
}

TEST(Message, IsEmptyForAnEmptyText) {
  EXPECT_TRUE(Message("").parts().empty());
  EXPECT_EQ(Message("").text(), "");
}

TEST(Error, CarriesItsMessageAndSaysItInNeutralNames) {
  const UsageError error(parameter("learning_rate", 0.5), "must be above 1");
  EXPECT_STREQ(error.what(), "learning_rate 0.5: must be above 1");
  EXPECT_EQ(error.message().render(shout), "<learning_rate=0.5>: must be above 1");
}

TEST(Error, TakesAPlainText) {
  EXPECT_STREQ(FileError("a.csv: empty").what(), "a.csv: empty");
}

}  // namespace
}  // namespace accrete::core::message_test
