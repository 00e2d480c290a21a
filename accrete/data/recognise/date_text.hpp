#pragma once
// Dates written as text: 2024-05-01, 2024-05-01 13:45[:10], 2024-05-01T13:45:10+02:00, 01/05/2024, 5.1.2024.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "accrete/data/recognise/text_format.hpp"

namespace accrete::data {

/// A date in UTC if the text has an offset (Z, +02:00, -0500, +02), else as written.
struct Date {
  std::int64_t days = 0;  ///< since 1970-01-01
  int year = 1970, month = 1;
  double hour = 0.0;  ///< 0 to 24, below 24 but for leap seconds
  bool has_time = false;
};

std::optional<Date> parse_date(std::string_view text, DateOrder order);

double date_part(const Date& date, DatePart part);

/// The order in which all texts are dates, or DateOrder::none. If 01/05/2024 is ambiguous, the month is first with
/// slashes and second otherwise.
DateOrder find_date_order(std::span<const std::string> texts);

const char* date_part_name(DatePart part);     ///< "year"
const char* date_order_name(DateOrder order);  ///< "ymd"

}  // namespace accrete::data
