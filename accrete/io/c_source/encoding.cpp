#include "accrete/io/c_source/encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "accrete/core/error.hpp"
#include "accrete/core/overloaded.hpp"

namespace accrete::io {
namespace {

using data::FeatureGroup;

/// True if float suffices for the column: a mean kept as a pair of floats has twice the precision, and its difference
/// to a nearby number is exact. Outside these bounds, a float of the pair or the difference may overflow or underflow.
bool fits_float(const data::ColumnEncoding& column) {
  constexpr double min = 1e-30, max = 1e30;
  const auto fits = [](double x) { return std::abs(x) < max; };
  bool all = true;
  column.visit(core::Overloaded{
      [&](const data::Standardised& by) { all = all && by.scale > min && by.scale < max && fits(by.mean); },
      [&](const data::Bins& by) {
        for (const data::Bin& bin : by.bins) all = all && fits(bin.start) && fits(bin.end) && fits(bin.slope());
      },
      [](const data::OneHot&) {}, [](const data::GapFlag&) {}});
  return all;
}

void add_standard(CEncoding& c, const data::Standardised* by) {
  if (c.wide) {
    const double inverse = by ? std::min(by->inverse, std::numeric_limits<double>::max()) : 0.0;
    c.wide_standard.insert(c.wide_standard.end(), {by ? by->mean : 0.0, inverse});
  } else {
    const float leading = by ? to_c_float(by->mean) : 0.0f;
    const float rest = by ? to_c_float(by->mean - static_cast<double>(leading)) : 0.0f;
    c.standard.insert(c.standard.end(), {leading, rest, by ? to_c_float(by->scale) : 0.0f});
  }
}

void add_bins(CEncoding& c, const data::Bins& by) {
  for (const data::Bin& bin : by.bins)
    if (c.wide)
      c.wide_bins.insert(c.wide_bins.end(), {bin.start, bin.width(), bin.slope(), bin.low()});
    else
      c.bins.insert(c.bins.end(), {bin.start, to_c_float(bin.width()), to_c_float(bin.slope()), to_c_float(bin.low())});
}

}  // namespace

std::vector<AffineFold> feature_folds(const data::Encoder& encoder) {
  std::vector<AffineFold> folds(encoder.features());
  for (const data::ColumnEncoding& column : encoder.columns())
    column.visit(core::Overloaded{[](const data::Standardised&) {}, [](const data::Bins&) {},
                                  [&](const data::OneHot& by, const FeatureGroup& group) {
                                    for (std::size_t l = 0; l < by.levels.size(); ++l) {
                                      const double on = by.levels[l].on, off = by.levels[l].off;
                                      folds[group.first + l] = {on - off, off};
                                    }
                                  },
                                  [](const data::GapFlag&) {}});
  return folds;
}

CEncoding c_encoding(const data::Encoder& encoder) {
  CEncoding c;
  c.wide = !std::ranges::all_of(encoder.columns(), fits_float);
  for (const data::ColumnEncoding& column : encoder.columns()) {
    c.first_feature.push_back(column.first());
    c.values.push_back(column.width());
    c.first_bin.push_back((c.wide ? c.wide_bins.size() : c.bins.size()) / 4);
    add_standard(c, column.get<data::Standardised>());
    column.visit(core::Overloaded{[](const data::Standardised&) {}, [&](const data::Bins& by) { add_bins(c, by); },
                                  [](const data::OneHot&) {}, [&](const data::GapFlag&) { --c.values.back(); }});
  }
  c.first_feature.push_back(encoder.features());
  return c;
}

float to_c_float(double value) {
  constexpr float max = std::numeric_limits<float>::max();
  if (!(std::abs(value) <= static_cast<double>(max)))
    throw core::DataError(fmt::format("C: the model holds {}; a C float holds at most {}", value, max));
  return static_cast<float>(value);
}

}  // namespace accrete::io
