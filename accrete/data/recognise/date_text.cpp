#include "accrete/data/recognise/date_text.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace accrete::data {
namespace {

/// Takes tokens from the front of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  /// A number of min to max digits, and its number of digits.
  std::optional<int> digits(std::size_t min, std::size_t max) {
    int value = 0;
    std::size_t count = 0;
    for (; count < max && count < rest_.size() && rest_[count] >= '0' && rest_[count] <= '9'; ++count)
      value = 10 * value + (rest_[count] - '0');
    if (count < min) return std::nullopt;
    rest_.remove_prefix(count);
    return value;
  }

  bool take(char c) {
    const bool found = rest_.starts_with(c);
    if (found) rest_.remove_prefix(1);
    return found;
  }

  /// Takes one of these characters; returns 0 if none is next.
  char take_any(std::string_view allowed) {
    for (const char c : allowed)
      if (take(c)) return c;
    return 0;
  }

  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

/// The offset of "+02:00", "-0500", "+02", "Z" or nothing in minutes.
std::optional<int> take_offset(Scanner& scan) {
  if (scan.take('Z')) return 0;
  const char sign = scan.take_any("+-");
  if (!sign) return 0;
  const auto hours = scan.digits(2, 2);
  const bool colon = hours && scan.take(':');
  const auto minutes = hours && (colon || !scan.done()) ? scan.digits(2, 2) : std::optional(0);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return (sign == '-' ? -1 : 1) * (60 * *hours + *minutes);
}

/// A time of day, and the days that converting it to UTC adds.
struct Time {
  double hour;
  int days;
};

/// "13:45", "13:45:10" or "13:45:10.5Z", up to the end of the text; "24:00" is midnight at the end of the day.
std::optional<Time> take_time(Scanner& scan) {
  const auto hour = scan.digits(1, 2);
  if (!hour || !scan.take(':')) return std::nullopt;
  const auto minute = scan.digits(2, 2);
  const auto second = minute && scan.take(':') ? scan.digits(2, 2) : std::optional(0);
  if (!minute || !second || *minute > 59 || *second > 60) return std::nullopt;
  if (*hour > 24 || (*hour == 24 && (*minute > 0 || *second > 0))) return std::nullopt;
  if (scan.take('.')) scan.digits(1, 9);
  const auto offset = take_offset(scan);
  if (!offset) return std::nullopt;
  constexpr int day = 24 * 60;
  const int minutes = 60 * *hour + *minute - *offset;
  const int days = minutes < 0 ? -1 : minutes / day, rest = minutes - days * day;
  return Time{rest / 60 + rest % 60 / 60.0 + *second / 3600.0, days};
}

}  // namespace

std::optional<Date> parse_date(std::string_view text, DateOrder order) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  while (text.starts_with(' ')) text.remove_prefix(1);
  Scanner scan(text);
  const bool year_first = order == DateOrder::ymd;
  const auto first = year_first ? scan.digits(4, 4) : scan.digits(1, 2);
  const char separator = first ? scan.take_any("-/.") : '\0';
  const auto second = separator ? scan.digits(1, 2) : std::nullopt;
  if (!second || !scan.take(separator)) return std::nullopt;
  const auto third = year_first ? scan.digits(1, 2) : scan.digits(4, 4);
  if (!third) return std::nullopt;
  const int year = year_first ? *first : *third;
  const int month = order == DateOrder::mdy ? *first : *second;
  const int day = year_first ? *third : order == DateOrder::mdy ? *second : *first;
  const std::chrono::year_month_day written{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                            std::chrono::day(static_cast<unsigned>(day))};
  if (order == DateOrder::none || !written.ok()) return std::nullopt;
  const bool has_time = scan.take_any("T ") != 0;
  const auto time = has_time ? take_time(scan) : std::optional(Time{0.0, 0});
  if (!time || !scan.done()) return std::nullopt;
  const std::chrono::sys_days days = std::chrono::sys_days(written) + std::chrono::days(time->days);
  const std::chrono::year_month_day date(days);
  return Date{.days = days.time_since_epoch().count(),
              .year = static_cast<int>(date.year()),
              .month = static_cast<int>(static_cast<unsigned>(date.month())),
              .hour = time->hour,
              .has_time = has_time};
}

double date_part(const Date& date, DatePart part) {
  switch (part) {
    case DatePart::days:
      return static_cast<double>(date.days) + date.hour / 24.0;
    case DatePart::year:
      return date.year;
    case DatePart::month:
      return date.month;
    case DatePart::weekday:
      return static_cast<double>(((date.days + 3) % 7 + 7) % 7);  // 1970-01-01 was a Thursday
    case DatePart::hour:
      return date.hour;
  }
  return 0.0;
}

DateOrder find_date_order(std::span<const std::string> texts) {
  if (texts.empty()) return DateOrder::none;
  const bool slashes = texts.front().find('/') != std::string::npos;
  const DateOrder usual = slashes ? DateOrder::mdy : DateOrder::dmy, other = slashes ? DateOrder::dmy : DateOrder::mdy;
  for (const DateOrder order : {DateOrder::ymd, usual, other})
    if (std::ranges::all_of(texts, [&](const std::string& text) { return parse_date(text, order).has_value(); }))
      return order;
  return DateOrder::none;
}

const char* date_part_name(DatePart part) {
  constexpr std::array names{"days", "year", "month", "weekday", "hour"};
  return names.at(static_cast<std::size_t>(part));
}

const char* date_order_name(DateOrder order) {
  constexpr std::array names{"none", "ymd", "dmy", "mdy"};
  return names.at(static_cast<std::size_t>(order));
}

}  // namespace accrete::data
