#include "accrete/data/recognise/decimal_text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "accrete/data/table.hpp"

namespace accrete::data::decimal_text_test {
namespace {

DecimalText decimal(const std::string& text) {
  return {text, parse_number(text).value()};
}

TEST(DecimalText, ComparesToTheLastDigit) {
  const std::vector<std::string> ascending{
      "-1e17", "-99999999999999999", "-9007199254740993", "-9007199254740992",      "-1",   "0",
      "0.5",   "9007199254740992",   "9007199254740993",  "9999999999999999999999", "1e22", "10000000000000000000001",
      "1e400"};
  for (std::size_t a = 0; a < ascending.size(); ++a)
    for (std::size_t b = 0; b < ascending.size(); ++b)
      EXPECT_TRUE(compare(decimal(ascending[a]), decimal(ascending[b])) == (a <=> b))
          << ascending[a] << " and " << ascending[b];
}

TEST(DecimalText, TreatsSpellingsOfANumberAsEqual) {
  const std::vector<std::vector<std::string>> spellings{
      {"1", "1.0", "+1", "001", "10e-1", "0.01e2"},
      {"0", "-0", "0.0", "0e5"},
      {"0.1", "0.10000000000000001"},
      {"100000000000000000", "1e17", "1E+17", "0100000000000000000.00", "0.0001e21", " 10.0e16 "},
      {"-9007199254740993", "-9007199254740993.", "-9.007199254740993e15", "-90071992547409930e-1"},
      {"inf", "1e400", "1e500"}};
  for (const auto& same : spellings)
    for (const auto& a : same)
      for (const auto& b : same) EXPECT_TRUE(compare(decimal(a), decimal(b)) == 0) << a << " and " << b;
}

TEST(DecimalText, ParsesIntegersExactlyOrNotAtAll) {
  EXPECT_EQ(parse_integer("9007199254740993"), 9007199254740993);
  EXPECT_EQ(parse_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse_integer("-7.0"), -7);
  EXPECT_EQ(parse_integer("+1e3"), 1000);
  for (const char* text : {"9223372036854775808", "9007199254740993.0", "1e17", "0.5", "seven", "", "nan", "inf", "7x"})
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
}

}  // namespace
}  // namespace accrete::data::decimal_text_test
