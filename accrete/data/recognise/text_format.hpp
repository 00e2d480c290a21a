#pragma once
// How the text of a column is read as numbers. Learnt from the training rows (recognise.hpp) and stored in the model,
// so that later rows are read the same way.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accrete::data {

/// The order of day, month and year in a date; none: the text is not a date.
enum class DateOrder : std::uint8_t { none, ymd, dmy, mdy };

/// The number extracted from a date: days since 1970 with the time as a fraction, year, month (1 to 12), weekday (0:
/// Monday) or hour with minutes as a fraction.
enum class DatePart : std::uint8_t { days, year, month, weekday, hour };

struct TextFormat {
  char decimal = '.';                     ///< or ','
  std::string thousands = {};             ///< between groups of three digits; empty: none
  std::string prefix = {}, suffix = {};   ///< a currency or per cent sign, optional in each cell
  bool others_missing = false;            ///< text that is not a number is missing
  std::vector<std::string> missing = {};  ///< spellings of a missing value in addition to those of is_missing
  DateOrder order = DateOrder::none;
  DatePart part = DatePart::days;  ///< for dates
  std::string column = {};         ///< for dates: the table column that has the text

  bool is_date() const { return order != DateOrder::none; }
  /// True if a cell can be read correctly only from its text.
  bool needs_text() const;
  bool operator==(const TextFormat&) const = default;
};

/// The text parsed as a number in this format, or as the part of a date; unset if it is neither.
std::optional<double> parse_number(std::string_view text, const TextFormat& format);

/// The format in which all texts are numbers: decimal commas, thousands separators, and a common currency or per cent
/// sign. Unset if there is none. If both readings are possible, a comma or point before exactly three digits separates
/// thousands.
std::optional<TextFormat> find_number_format(std::span<const std::string> texts);

/// The format in which most of the texts are numbers; on a tie, the plain one.
TextFormat closest_number_format(std::span<const std::string> texts);

}  // namespace accrete::data
