#pragma once
// Columns and encoders for tests of data/.

#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "accrete/data/encoder.hpp"

namespace accrete::data {

inline constexpr float missing = std::numeric_limits<float>::quiet_NaN();
inline constexpr float infinity = std::numeric_limits<float>::infinity();
using Floats = std::vector<float>;

inline Column numeric(std::string name, std::vector<float> numbers) {
  return {std::move(name), Column::Kind::numeric, std::move(numbers), {}, {}};
}
inline Column text(std::string name, std::vector<std::string> levels, std::vector<std::int32_t> codes) {
  return {std::move(name), Column::Kind::text, {}, std::move(codes), std::move(levels)};
}
inline std::vector<std::size_t> upto(std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}
inline Encoder fit_all(const Table& table, const EncoderOptions& options = {}) {
  return Encoder::fit(table, upto(table.columns.size()), {upto(table.rows())}, options);
}
inline std::vector<float> column_of(const core::TiledMatrix& m, std::size_t c) {
  std::vector<float> values;
  for (std::size_t r = 0; r < m.rows(); ++r) values.push_back(m.at(r, c));
  return values;
}

}  // namespace accrete::data
