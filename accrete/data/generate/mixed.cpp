// Realistic tables for the guides: numbers, text, dates and missing values.

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "accrete/data/generate/parts.hpp"

namespace accrete::data {
namespace {

using core::Purpose;
using core::Rng;

void append_number(Column& column, double value, double unit) {
  column.numbers.push_back(static_cast<float>(std::round(value / unit) * unit));
}

/// "2021-03-09" for days after 2020.
std::string date_text(std::size_t days) {
  using namespace std::chrono;
  const year_month_day date{sys_days{year{2021} / January / 1} + std::chrono::days{static_cast<int>(days)}};
  return fmt::format("{:04}-{:02}-{:02}", int{date.year()}, unsigned{date.month()}, unsigned{date.day()});
}

/// Samples by inversion, so every count takes exactly one uniform draw.
std::size_t draw_count(Rng& rng, double mean) {
  const double u = rng.uniform();
  double term = std::exp(-mean), sum = term;
  std::size_t count = 0;
  while (u > sum && count < 100) sum += term *= mean / static_cast<double>(++count);
  return count;
}

}  // namespace

Table make_houses(std::size_t rows, std::uint64_t seed) {
  require_rows(rows);
  constexpr const char* districts[] = {"centre", "east", "harbour", "west"};
  constexpr double location[] = {1.35, 0.9, 1.1, 1.0};
  Table table{"houses",
              {numeric_column("area", rows), numeric_column("rooms", rows), text_column("district", rows),
               text_column("sold", rows), numeric_column("crime", rows), numeric_column("tax", rows),
               numeric_column("price", rows)}};
  Rng rng(seed, 0, Purpose::generator);
  for (std::size_t r = 0; r < rows; ++r) {
    const double area = rng.uniform(30.0, 200.0), crime = rng.uniform(0.0, 10.0), tax = rng.uniform(1.0, 4.0);
    const double rooms = std::round(1.0 + area / 35.0 + 0.6 * rng.normal());
    const std::size_t district = rng.below(4), day = rng.below(3 * 365);
    const double price = location[district] * (40.0 + 2.4 * area + 6.0 * rooms) * (1.0 - 0.025 * crime) - 9.0 * tax +
                         0.03 * static_cast<double>(day) + 15.0 * rng.normal();
    append_number(table.columns[0], area, 1.0);
    table.columns[1].numbers.push_back(rng.uniform() < 0.05 ? std::numeric_limits<float>::quiet_NaN()
                                                            : static_cast<float>(std::max(rooms, 1.0)));
    append_text(table.columns[2], districts[district]);
    append_text(table.columns[3], date_text(day));
    append_number(table.columns[4], crime, 0.1);
    append_number(table.columns[5], tax, 0.1);
    append_number(table.columns[6], price, 0.1);
  }
  return table;
}

Table make_claims(std::size_t rows, std::uint64_t seed) {
  require_rows(rows);
  constexpr const char* regions[] = {"city", "country", "suburb"};
  constexpr double risk[] = {0.3, -0.2, 0.0};
  Table table{"claims",
              {numeric_column("age", rows), numeric_column("power", rows), text_column("region", rows),
               numeric_column("log_exposure", rows), numeric_column("claims", rows)}};
  Rng rng(seed, 0, Purpose::generator);
  for (std::size_t r = 0; r < rows; ++r) {
    const double age = rng.uniform(18.0, 80.0), power = rng.uniform(40.0, 200.0);
    const double log_exposure = std::log(rng.uniform(0.1, 1.0));
    const std::size_t region = rng.below(3);
    const double log_rate = -1.2 + 1.2 * std::exp(-(age - 18.0) / 8.0) + 0.004 * power + risk[region];
    append_number(table.columns[0], age, 1.0);
    append_number(table.columns[1], power, 1.0);
    append_text(table.columns[2], regions[region]);
    append_number(table.columns[3], log_exposure, 0.001);
    append_number(table.columns[4], static_cast<double>(draw_count(rng, std::exp(log_rate + log_exposure))), 1.0);
  }
  return table;
}

}  // namespace accrete::data
