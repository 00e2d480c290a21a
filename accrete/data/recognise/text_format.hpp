#pragma once
// How the texts of a column are read as numbers. Found in the training rows (recognise.hpp) and stored in the model, so
// that later rows are read in the same way.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accrete::data {

/// The order of day, month and year in a date; none: the texts are not dates.
enum class DateOrder : std::uint8_t { none, ymd, dmy, mdy };

/// The number that is taken from a date: days since 1970 with the time as a fraction, year, month (1 to 12), weekday
/// (0: Monday) or hour with minutes as a fraction.
enum class DatePart : std::uint8_t { days, year, month, weekday, hour };

struct TextFormat {
  char decimal = '.';                     ///< or ','
  std::string thousands = {};             ///< between groups of three digits; empty: none
  std::string prefix = {}, suffix = {};   ///< a currency or per cent sign, which a cell may lack
  bool others_missing = false;            ///< a text that is not a number is missing
  std::vector<std::string> missing = {};  ///< spellings of a missing value besides those of is_missing
  DateOrder order = DateOrder::none;
  DatePart part = DatePart::days;  ///< of a date
  std::string column = {};         ///< of a date: the column of the table that has the texts

  bool is_date() const { return order != DateOrder::none; }
  /// True if a cell can only be read correctly from its text.
  bool needs_text() const;
  bool operator==(const TextFormat&) const = default;
};

/// The number that the text spells in this format, if any. Of a date, its part.
std::optional<double> parse_number(std::string_view text, const TextFormat& format);

/// The format in which all of the texts are numbers: decimal commas, thousands separators, and one currency or per cent
/// sign that all of them have. Nothing if there is none. Where both readings are possible, a comma or point before
/// exactly three digits separates thousands.
std::optional<TextFormat> find_number_format(std::span<const std::string> texts);

/// The format in which most of the texts are numbers; the plain one if none has more.
TextFormat closest_number_format(std::span<const std::string> texts);

}  // namespace accrete::data
