#include "accrete/network/kernels/coded_column_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/network/kernels/coded_column_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

/// Calls f(first unit, count) for blocks of units, with count as a constant: the compiler vectorises loops over them.
template <std::size_t count = 16, class F>
void for_unit_blocks(std::size_t units, const F& f, std::size_t first = 0) {
  for (; first + count <= units; first += count) f(first, std::integral_constant<std::size_t, count>());
  if constexpr (count > 1) for_unit_blocks<count / 4>(units, f, first);
}

double rise(const data::Ramp& ramp) {
  return static_cast<double>(ramp.high) - static_cast<double>(ramp.low);
}

/// Sum of the weights of `ramps` times their low ends, per unit.
template <std::size_t units, class Weight>
void add_low_ends(std::span<const data::Ramp> ramps, const Weight* weights, std::size_t stride, double* base) {
  for (std::size_t m = 0; m < ramps.size(); ++m)
    for (std::size_t j = 0; j < units; ++j)
      base[j] += static_cast<double>(weights[j * stride + m]) * static_cast<double>(ramps[m].low);
}

template <class Weight>
void tabulate_levels(const CodedFeatures& c, const TableShape& shape, const Weight* weights, float* table) {
  const std::size_t count = c.levels.size(), width = shape.width, stride = shape.features;
  for_unit_blocks(shape.units, [&](std::size_t first, auto units) {
    const Weight* w = weights + first * stride + c.first;
    double base[units()] = {};
    add_low_ends<units()>(c.levels, w, stride, base);
    float* entry = table + first;
    for (std::size_t l = 0; l < count; ++l, entry += width)
      for (std::size_t j = 0; j < units(); ++j)
        entry[j] = static_cast<float>(base[j] + static_cast<double>(w[j * stride + l]) * rise(c.levels[l]));
    for (std::size_t j = 0; j < units(); ++j) {
      const double gap = c.has_gap_flag ? static_cast<double>(w[j * stride + count]) : 0.0;
      entry[j] = static_cast<float>(base[j]);
      entry[width + j] = static_cast<float>(base[j] + gap);
    }
  });
}

/// Tabulates what a numeric column adds to each unit's weighted sum: an entry per grid position, to which numbers are
/// rounded, then one that numbers do not use (the unseen level of a category) and one for missing values. At position
/// 2m, knot m, the ramps before m have their high value and the others their low value; position 2m + 1 is the middle
/// of ramp m. If the column has the linear feature grid_number, entries include it.
template <class Weight>
void tabulate_number(const CodedFeatures& c, const TableShape& shape, const Weight* weights, float* table) {
  const std::size_t count = c.ramps.size(), width = shape.width, stride = shape.features;
  for_unit_blocks(shape.units, [&](std::size_t first, auto units) {
    const Weight* w = weights + first * stride + c.first;
    double base[units()] = {}, slope[units()] = {};
    if (!c.numbers.empty())
      for (std::size_t j = 0; j < units(); ++j) slope[j] = static_cast<double>(w[j * stride]);
    w += !c.numbers.empty();
    add_low_ends<units()>(c.ramps, w, stride, base);
    const auto number = [&](std::size_t p) { return c.numbers.empty() ? 0.0 : c.numbers[p]; };
    float* entry = table + first;
    for (std::size_t m = 0; m < count; ++m, entry += 2 * width) {
      const double knot = number(2 * m), middle = number(2 * m + 1), step = rise(c.ramps[m]);
      for (std::size_t j = 0; j < units(); ++j) {
        const double half = 0.5 * step * static_cast<double>(w[j * stride + m]);
        entry[j] = static_cast<float>(base[j] + slope[j] * knot);
        entry[width + j] = static_cast<float>(base[j] + half + slope[j] * middle);
        base[j] += half + half;
      }
    }
    for (std::size_t j = 0; j < units(); ++j) {
      entry[j] = static_cast<float>(base[j] + slope[j] * number(2 * count));
      entry[width + j] = 0.0f;
      entry[2 * width + j] = c.has_gap_flag ? static_cast<float>(w[j * stride + count]) : 0.0f;
    }
  });
}

template <class Weight>
void tabulate(const CodedFeatures& c, const TableShape& shape, const Weight* weights, float* table) {
  c.levels.empty() ? tabulate_number(c, shape, weights, table) : tabulate_levels(c, shape, weights, table);
}

void tabulate_floats(const CodedFeatures& c, const TableShape& shape, const float* weights, float* table) {
  tabulate(c, shape, weights, table);
}

void tabulate_doubles(const CodedFeatures& c, const TableShape& shape, const double* weights, float* table) {
  tabulate(c, shape, weights, table);
}

void level_gradient(const CodedFeatures& c, const TableShape& shape, const double* sums, double* gradient) {
  const std::size_t count = c.levels.size(), width = shape.width, stride = shape.features;
  for_unit_blocks(shape.units, [&](std::size_t first, auto units) {
    const double* entry = sums + first;
    double* to = gradient + first * stride + c.first;
    double total[units()] = {};
    for (std::size_t l = 0; l < count + 2; ++l)
      for (std::size_t j = 0; j < units(); ++j) total[j] += entry[l * width + j];
    for (std::size_t l = 0; l < count; ++l) {
      const double low = static_cast<double>(c.levels[l].low), high = rise(c.levels[l]);
      for (std::size_t j = 0; j < units(); ++j) to[j * stride + l] = low * total[j] + high * entry[l * width + j];
    }
    for (std::size_t j = 0; c.has_gap_flag && j < units(); ++j) to[j * stride + count] = entry[(count + 1) * width + j];
  });
}

void number_gradient(const CodedFeatures& c, const TableShape& shape, const double* sums, double* gradient) {
  const std::size_t count = c.ramps.size(), known = c.known(), width = shape.width, stride = shape.features;
  for_unit_blocks(shape.units, [&](std::size_t first, auto units) {
    const double* entry = sums + first;
    double* to = gradient + first * stride + c.first;
    double total[units()] = {}, line[units()] = {}, above[units()];  // above: over the rows above the ramp
    for (std::size_t p = 0; p < known; ++p) {
      const double number = c.numbers.empty() ? 0.0 : c.numbers[p];
      for (std::size_t j = 0; j < units(); ++j) {
        total[j] += entry[p * width + j];
        line[j] += number * entry[p * width + j];
      }
    }
    for (std::size_t j = 0; !c.numbers.empty() && j < units(); ++j) to[j * stride] = line[j];
    to += !c.numbers.empty();
    for (std::size_t j = 0; j < units(); ++j) above[j] = entry[2 * count * width + j];
    for (std::size_t m = count; m-- > 0;) {
      const double low = static_cast<double>(c.ramps[m].low), high = rise(c.ramps[m]);
      const double *middle = entry + (2 * m + 1) * width, *knot = middle - width;
      for (std::size_t j = 0; j < units(); ++j) {
        to[j * stride + m] = low * total[j] + high * (0.5 * middle[j] + above[j]);
        above[j] += middle[j] + knot[j];
      }
    }
    for (std::size_t j = 0; c.has_gap_flag && j < units(); ++j) to[j * stride + count] = entry[(known + 1) * width + j];
  });
}

void gradient(const CodedFeatures& c, const TableShape& shape, const double* sums, double* to) {
  c.levels.empty() ? number_gradient(c, shape, sums, to) : level_gradient(c, shape, sums, to);
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::network {

HWY_EXPORT(tabulate_floats);
HWY_EXPORT(tabulate_doubles);
HWY_EXPORT(gradient);

void tabulate_column(const CodedFeatures& column, const TableShape& shape, const float* weights, float* table) {
  HWY_DYNAMIC_DISPATCH(tabulate_floats)(column, shape, weights, table);
}

void tabulate_column(const CodedFeatures& column, const TableShape& shape, const double* weights, float* table) {
  HWY_DYNAMIC_DISPATCH(tabulate_doubles)(column, shape, weights, table);
}

void column_gradient(const CodedFeatures& column, const TableShape& shape, const double* sums, double* to) {
  HWY_DYNAMIC_DISPATCH(gradient)(column, shape, sums, to);
}

}  // namespace accrete::network
#endif
