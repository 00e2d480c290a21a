#include "accrete/explain/table_kernel.hpp"

#include <algorithm>

#include "accrete/core/denormals.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/explain/table_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include "accrete/explain/secant-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::explain::HWY_NAMESPACE {

using Layout = network::PredictTables::Layout;
using network::TableCode;
inline constexpr std::size_t width = network::PredictTables::width;

/// Number of groups of units whose sums are kept in float.
inline constexpr std::size_t float_groups = 8;

/// Weighted values of a row's columns in `vectors` vectors of units, columns x 16, and their sums without the bias.
template <int vectors>
HWY_ATTR HWY_INLINE void weigh_columns(const Layout& t, const float* group, const TableCode* code, float* weighted,
                                       float* sums) {
  const FloatTag tag;
  const std::size_t n = hn::Lanes(tag);
  auto s0 = hn::Zero(tag), s1 = s0, s2 = s0, s3 = s0;
  const auto add = [&](auto&& value_at) HWY_ATTR {
    const auto p0 = value_at(0);
    s0 = hn::Add(s0, p0), hn::Store(p0, tag, weighted);
    if constexpr (vectors > 1) {
      const auto p1 = value_at(n);
      s1 = hn::Add(s1, p1), hn::Store(p1, tag, weighted + n);
    }
    if constexpr (vectors > 2) {
      const auto p2 = value_at(2 * n), p3 = value_at(3 * n);
      s2 = hn::Add(s2, p2), hn::Store(p2, tag, weighted + 2 * n);
      s3 = hn::Add(s3, p3), hn::Store(p3, tag, weighted + 3 * n);
    }
    weighted += width;
  };
  const float* weights = group + width;
  for (const TableCode* end = code + t.linear; code < end; ++code, weights += width) {
    const auto x = hn::Set(tag, code->position);
    add([&](std::size_t u) HWY_ATTR { return hn::Mul(hn::Load(tag, weights + u), x); });
  }
  for (const TableCode* end = code + t.piecewise; code < end; ++code) {
    const auto x = hn::Set(tag, code->position);
    const float* base = group + code->entry;
    add([&](std::size_t u)
            HWY_ATTR { return hn::MulAdd(hn::Load(tag, base + width + u), x, hn::Load(tag, base + u)); });
  }
  for (const TableCode* end = code + t.levels; code < end; ++code) {
    const float* base = group + code->entry;
    add([&](std::size_t u) HWY_ATTR { return hn::Load(tag, base + u); });
  }
  hn::Store(s0, tag, sums);
  if constexpr (vectors > 1) hn::Store(s1, tag, sums + n);
  if constexpr (vectors > 2) hn::Store(s2, tag, sums + 2 * n), hn::Store(s3, tag, sums + 3 * n);
}

/// sums[c] += weighted[c] * factors: one vector per column, reduced later.
template <int vectors>
HWY_ATTR HWY_INLINE void add_columns(std::size_t columns, const float* weighted, const float* factors, float* sums) {
  const FloatTag tag;
  const std::size_t n = hn::Lanes(tag);
  const auto f0 = hn::Load(tag, factors);
  auto f1 = f0, f2 = f0, f3 = f0;
  if constexpr (vectors > 1) f1 = hn::Load(tag, factors + n);
  if constexpr (vectors > 2) f2 = hn::Load(tag, factors + 2 * n), f3 = hn::Load(tag, factors + 3 * n);
  for (std::size_t c = 0; c < columns; ++c, weighted += width, sums += n) {
    auto s = hn::MulAdd(hn::Load(tag, weighted), f0, hn::Load(tag, sums));
    if constexpr (vectors > 2) {
      auto other = hn::Mul(hn::Load(tag, weighted + n), f1);
      s = hn::MulAdd(hn::Load(tag, weighted + 2 * n), f2, s);
      other = hn::MulAdd(hn::Load(tag, weighted + 3 * n), f3, other);
      s = hn::Add(s, other);
    } else if constexpr (vectors > 1) {
      s = hn::MulAdd(hn::Load(tag, weighted + n), f1, s);
    }
    hn::Store(s, tag, sums);
  }
}

/// Adds the contributions of the first `units` units of a group to the sums of all rows.
template <int vectors, class Formula>
HWY_ATTR void add_group(Formula formula, const TableTile::Args& args, const float* group, std::size_t units) {
  const FloatTag tag;
  const Layout& t = args.tables;
  const std::size_t n = hn::Lanes(tag), columns = t.columns(), row_sums = t.outputs * columns * n;
  constexpr std::size_t strip_rows = TableTile::strip_rows;
  alignas(64) float slopes[strip_rows * width], factors[width], start[width];  // start: outputs at the baseline
  for (std::size_t u = 0; u < width; u += n) hn::Store(activate(formula, hn::Load(tag, group + u)), tag, start + u);
  const float* output_weights = group + t.group_size - t.outputs * width;
  for (std::size_t first = 0; first < args.rows; first += strip_rows) {
    const std::size_t rows = std::min(strip_rows, args.rows - first);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t u = 0; u < width; u += vectors * n)
        weigh_columns<vectors>(t, group + u, args.codes + (first + r) * columns,
                               args.weighted + r * columns * width + u, slopes + r * width + u);
    for (std::size_t i = 0; i < rows * width; i += n) {
      const auto z0 = hn::Load(tag, group + i % width), a0 = hn::Load(tag, start + i % width);
      hn::Store(secant(formula, hn::Load(tag, slopes + i), z0, a0), tag, slopes + i);
    }
    for (std::size_t r = 0; r < rows; ++r) {
      std::fill(slopes + r * width + units, slopes + (r + 1) * width, 0.0f);  // padding, or units after the prefix
      for (std::size_t k = 0; k < t.outputs; ++k) {
        for (std::size_t u = 0; u < width; ++u) factors[u] = slopes[r * width + u] * output_weights[k * width + u];
        for (std::size_t u = 0; u < width; u += vectors * n)
          add_columns<vectors>(columns, args.weighted + r * columns * width + u, factors + u,
                               args.sums + (first + r) * row_sums + k * columns * n);
      }
    }
  }
}

/// Adds the float sums to the double values.
HWY_ATTR void flush_sums(const TableTile::Args& args) {
  const FloatTag tag;
  const std::size_t n = hn::Lanes(tag), count = args.rows * args.tables.outputs * args.tables.columns();
  for (std::size_t i = 0; i < count; ++i)
    args.values[i] += static_cast<double>(hn::GetLane(hn::SumOfLanes(tag, hn::Load(tag, args.sums + i * n))));
  std::fill_n(args.sums, count * n, 0.0f);
}

template <class Formula>
HWY_ATTR void add_groups(Formula formula, const TableTile::Args& args) {
  const std::size_t n = hn::Lanes(FloatTag()), groups = (args.units + width - 1) / width;
  for (std::size_t g = 0; g < groups; ++g) {
    const float* group = args.tables.values + g * args.tables.group_size;
    const std::size_t units = std::min(width, args.units - g * width);
    if (4 * n <= width)
      add_group<4>(formula, args, group, units);
    else if (2 * n <= width)
      add_group<2>(formula, args, group, units);
    else
      add_group<1>(formula, args, group, units);
    if ((g + 1) % float_groups == 0 || g + 1 == groups) flush_sums(args);
  }
}

void explain_tables(const TableTile::Args& args) {
  activation::All::visit(args.tables.activation, [&](auto formula) { add_groups(formula, args); });
}

}  // namespace accrete::explain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::explain {

HWY_EXPORT(explain_tables);

TableTile::TableTile(const network::PredictTables& tables, std::size_t tile_rows)
    : tables_(tables),
      codes_(tile_rows * tables.columns()),
      raw_(tile_rows),
      weighted_(strip_rows * tables.columns() * network::PredictTables::width),
      sums_(tile_rows * tables.layout().outputs * tables.columns() * network::PredictTables::width),
      values_(tile_rows * tables.layout().outputs * tables.columns()) {}

std::size_t TableTile::tile_rows_for(const network::PredictTables& tables) {
  constexpr std::size_t sums = 4'096;  // of 16 floats: 256 KiB
  return std::clamp<std::size_t>(sums / (tables.columns() * tables.layout().outputs), 16, 256);
}

void TableTile::compute(std::size_t rows, std::size_t units) {
  const core::FlushDenormals flush;
  // As for features: positions are clamped to this magnitude, which saturates any unit.
  constexpr float limit = 1e30f;
  for (std::size_t i = 0; i < rows * tables_.columns(); ++i)
    codes_[i].position = std::clamp(codes_[i].position, -limit, limit);
  std::ranges::fill(values_, 0.0);
  HWY_DYNAMIC_DISPATCH(explain_tables)
  ({.tables = tables_.layout(),
    .codes = codes_.data(),
    .rows = rows,
    .units = units,
    .weighted = weighted_.data(),
    .sums = sums_.data(),
    .values = values_.data()});
}

}  // namespace accrete::explain
#endif
