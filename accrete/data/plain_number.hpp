#pragma once
// Fast path for parsing numbers in CSV files and requests.

#include <cstddef>
#include <cstdint>

namespace accrete::data {

inline constexpr double powers_of_ten[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/// Reads digits with an optional sign and decimal point, the form of almost every field. Returns a pointer past them,
/// or nullptr for any other form and for more than 15 digits. Up to 15 digits, the integer and the power of ten are
/// exact in double, so the single division rounds correctly and the value equals that of from_chars. A readable
/// character that is not part of the number, such as a separator, must follow it.
inline const char* read_plain_number(const char* p, double& value) {
  const bool negative = *p == '-';
  if (negative) ++p;
  std::uint64_t digits = 0;
  const char* const first = p;
  while (static_cast<unsigned char>(*p - '0') <= 9) digits = digits * 10 + static_cast<std::uint64_t>(*p++ - '0');
  auto count = p - first;
  std::ptrdiff_t decimals = 0;
  if (*p == '.') {
    const char* const point = ++p;
    while (static_cast<unsigned char>(*p - '0') <= 9) digits = digits * 10 + static_cast<std::uint64_t>(*p++ - '0');
    decimals = p - point;
    count += decimals;
  }
  if (count == 0 || count > 15) return nullptr;
  value = static_cast<double>(digits);
  if (decimals > 0) value /= powers_of_ten[decimals];
  if (negative) value = -value;
  return p;
}

}  // namespace accrete::data
