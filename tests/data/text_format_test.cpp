#include "accrete/data/recognise/text_format.hpp"

#include <gtest/gtest.h>

#include "accrete/data/recognise/date_text.hpp"

namespace accrete::data::text_format_test {
namespace {

using Texts = std::vector<std::string>;

/// The numbers of all texts in the format that is found for them; empty if there is none.
std::vector<double> read_all(const Texts& texts) {
  const auto format = find_number_format(texts);
  std::vector<double> numbers;
  for (const std::string& text : format ? texts : Texts{}) numbers.push_back(parse_number(text, *format).value());
  return numbers;
}

TEST(TextFormat, ReadsSeparatorsAndSignsOfWholeColumns) {
  EXPECT_EQ(read_all({"1,5", "-2,25", "3"}), (std::vector{1.5, -2.25, 3.0}));
  EXPECT_EQ(read_all({"1,5", ",5", "-,25"}), (std::vector{1.5, 0.5, -0.25}));
  EXPECT_EQ(read_all({"1,234", "12,345,678.5", "7"}), (std::vector{1234.0, 12345678.5, 7.0}));
  EXPECT_EQ(read_all({"1.234,5", "999", "-1.000.000"}), (std::vector{1234.5, 999.0, -1e6}));
  EXPECT_EQ(read_all({"12 %", "3.5%"}), (std::vector{12.0, 3.5}));
  EXPECT_EQ(read_all({"$1,200", "-$5", "$-6"}), (std::vector{1200.0, -5.0, -6.0}));
  EXPECT_EQ(read_all({"5,50 \u20AC", "1.200 \u20AC"}), (std::vector{5.5, 1200.0}));
  EXPECT_EQ(read_all({"\u00A3"
                      "7",
                      "\u00A3"
                      "8"}),
            (std::vector{7.0, 8.0}));
  EXPECT_EQ(read_all({"1 234,5", "1 000 000"}), (std::vector{1234.5, 1e6}));
  EXPECT_EQ(read_all({"$ 1,200", "- $ 5", "$ - 6"}), (std::vector{1200.0, -5.0, -6.0}));
  EXPECT_EQ(read_all({"1e3", "2.5e-1"}), (std::vector{1000.0, 0.25}));
}

TEST(TextFormat, ReadsExponentsBesideSeparatorsAndSigns) {
  EXPECT_EQ(read_all({"1,5e3", "-2,25E-2", "7e+2", "1e5"}), (std::vector{1500.0, -0.0225, 700.0, 1e5}));
  EXPECT_EQ(read_all({"1.234,5e2", "2.000e-3"}), (std::vector{123450.0, 2.0}));
  EXPECT_EQ(read_all({"$1,200e2", "-$1e5", "$ .5e1"}), (std::vector{120000.0, -1e5, 5.0}));
  EXPECT_EQ(read_all({"1e1 %", "2.5e-1%"}), (std::vector{10.0, 0.25}));
}

TEST(TextFormat, TakesACommaBeforeThreeDigitsForThousandsOnlyIfAllCellsAllowIt) {
  EXPECT_EQ(read_all({"1,234", "5,678"}), (std::vector{1234.0, 5678.0}));
  EXPECT_EQ(read_all({"1,234", "5,6"}), (std::vector{1.234, 5.6}));
  EXPECT_EQ(read_all({"0,125", "1,250"}), (std::vector{0.125, 1.25}));
}

TEST(TextFormat, RefusesColumnsThatAreNotNumbersThroughout) {
  for (const Texts& texts : std::vector<Texts>{{"1,5", "x"},
                                               {"5%", "5"},
                                               {"$5",
                                                "\u20AC"
                                                "5"},
                                               {"030 123 456"},
                                               {"1.2.3"},
                                               {"1,2,3"},
                                               {"12,34.5"},
                                               {"1234,567.5"},
                                               {"--5%"},
                                               {"%"},
                                               {"$"},
                                               {"1-2"},
                                               {"1,5", "nan"},
                                               {"inf%"},
                                               {"$-Infinity"},
                                               {"1,5", "2e"},
                                               {"1e5,5"},
                                               {}})
    EXPECT_FALSE(find_number_format(texts)) << (texts.empty() ? "" : texts.front());
}

TEST(TextFormat, AcceptsCellsWithoutTheSignLater) {
  const auto format = find_number_format(Texts{"$1,200"});
  EXPECT_EQ(parse_number("1,300.5", *format), 1300.5);
  EXPECT_FALSE(parse_number("n.a.", *format));
  EXPECT_TRUE(format->needs_text());
  EXPECT_FALSE(TextFormat{}.needs_text());
}

TEST(TextFormat, FindsTheFormatOfMostTexts) {
  const TextFormat format = closest_number_format(Texts{"-", "1,5", "2,5", "x"});
  EXPECT_EQ(parse_number("1,5", format), 1.5);
  EXPECT_EQ(closest_number_format(Texts{"-", "x"}), TextFormat{});
}

TEST(TextFormat, FindsTheSignThatFollowsAPlainNumber) {
  const TextFormat format = closest_number_format(Texts{"5", "$1,200", "$2", "x"});
  EXPECT_EQ(parse_number("$1,200", format), 1200.0);
}

TEST(DateText, ReadsTheCommonForms) {
  const auto days = [](const char* text, DateOrder order) {
    return date_part(parse_date(text, order).value(), DatePart::days);
  };
  EXPECT_EQ(days("1970-01-01", DateOrder::ymd), 0.0);
  EXPECT_EQ(days("2024-05-01", DateOrder::ymd), 19844.0);
  EXPECT_EQ(days("1969-12-31", DateOrder::ymd), -1.0);
  EXPECT_EQ(days("01/05/2024", DateOrder::dmy), 19844.0);
  EXPECT_EQ(days("5.1.2024", DateOrder::mdy), 19844.0);
  EXPECT_EQ(days("2024-05-01T12:00:00Z", DateOrder::ymd), 19844.5);
  EXPECT_EQ(days("2024-05-01 06:00", DateOrder::ymd), 19844.25);
  EXPECT_EQ(days("2024-05-01 18:00:00.123456+02:00", DateOrder::ymd), 19844.0 + 16.0 / 24.0);
  const Date date = parse_date("2024-05-01 13:45", DateOrder::ymd).value();
  EXPECT_EQ(date_part(date, DatePart::year), 2024.0);
  EXPECT_EQ(date_part(date, DatePart::month), 5.0);
  EXPECT_EQ(date_part(date, DatePart::weekday), 2.0);  // a Wednesday
  EXPECT_EQ(date_part(date, DatePart::hour), 13.75);
  const Date with_seconds = parse_date("2024-05-01 13:45:36", DateOrder::ymd).value();
  EXPECT_NEAR(date_part(with_seconds, DatePart::hour), 13.76, 1e-9);
  EXPECT_EQ(date_part(parse_date("1969-12-31", DateOrder::ymd).value(), DatePart::weekday), 2.0);
}

TEST(DateText, ConvertsOffsetsToUtc) {
  const auto parts = [](const char* text) {
    const Date date = parse_date(text, DateOrder::ymd).value();
    return std::vector{static_cast<double>(date.days), double(date.year), double(date.month), date.hour};
  };
  for (const char* text : {"2024-01-10T14:00:00+02:00", "2024-01-10 14:00+0200", "2024-01-10 14:00:00+02"})
    EXPECT_EQ(parts(text), parts("2024-01-10 12:00")) << text;
  EXPECT_EQ(parts("2024-01-10T09:15:00-05:30"), parts("2024-01-10 14:45"));
  EXPECT_EQ(parts("2024-01-01T00:30:36+01:00"), parts("2023-12-31 23:30:36"));
  EXPECT_EQ(parts("2023-12-31T23:30:00-23:59"), parts("2024-01-01T23:29Z"));
  EXPECT_EQ(parts("2024-02-29 24:00"), parts("2024-03-01 00:00"));
  EXPECT_EQ(parts("2023-12-31 24:00:00-10:00"), parts("2024-01-01 10:00"));
}

TEST(DateText, RefusesWhatIsNoDate) {
  for (const char* text : {"2024-13-01",
                           "2024-02-30",
                           "2024-05",
                           "2024-05-01x",
                           "2024-05/01",
                           "20240501",
                           "2024-05-01 25:00",
                           "2024-05-01 12",
                           "2024-05-01 12:05:",
                           "2024-05-01 12:60",
                           "2024-05-01 12:00:61",
                           "2024-05-01 24:01",
                           "2024-05-01 24:00:01",
                           "2024-05-01 12:00+2",
                           "2024-05-01 12:00+02:",
                           "2024-05-01 12:00+02:0",
                           "2024-05-01 12:00+24:00",
                           "2024-05-01 12:00-02:60",
                           "2024-05-01 12:00Z+01",
                           "",
                           "x",
                           "1.5"})
    EXPECT_FALSE(parse_date(text, DateOrder::ymd)) << text;
  EXPECT_FALSE(parse_date("13/13/2024", DateOrder::dmy));
  EXPECT_FALSE(parse_date("1/5/20245", DateOrder::dmy));
  EXPECT_FALSE(parse_date("1/5/204", DateOrder::dmy));
}

TEST(DateText, NeedsNoLeadingZeros) {
  EXPECT_EQ(parse_date("2024-5-1", DateOrder::ymd)->days, parse_date("2024-05-01", DateOrder::ymd)->days);
  EXPECT_EQ(parse_date("1/5/2024", DateOrder::dmy)->days, parse_date("2024-05-01", DateOrder::ymd)->days);
}

TEST(DateText, FindsTheOrderFromAllTexts) {
  EXPECT_EQ(find_date_order(Texts{"01/05/2024", "31/05/2024"}), DateOrder::dmy);
  EXPECT_EQ(find_date_order(Texts{"01/05/2024", "05/31/2024"}), DateOrder::mdy);
  EXPECT_EQ(find_date_order(Texts{"01/05/2024"}), DateOrder::mdy);
  EXPECT_EQ(find_date_order(Texts{"01.05.2024"}), DateOrder::dmy);
  EXPECT_EQ(find_date_order(Texts{"2024-05-01", "2024-05-01 13:45"}), DateOrder::ymd);
  EXPECT_EQ(find_date_order(Texts{"31/05/2024", "05/31/2024"}), DateOrder::none);
  EXPECT_EQ(find_date_order(Texts{}), DateOrder::none);
}

}  // namespace
}  // namespace accrete::data::text_format_test
