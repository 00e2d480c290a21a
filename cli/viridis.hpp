#pragma once
// The viridis colour map, by straight lines between 16 of its published colours.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "cli/canvas.hpp"

namespace accrete::cli {

/// Equally spaced from 0 (dark violet) to 1 (yellow).
inline constexpr std::array<Rgb, 16> viridis_anchors{{
    {0x44, 0x01, 0x54},
    {0x48, 0x1a, 0x6c},
    {0x47, 0x2f, 0x7d},
    {0x41, 0x44, 0x87},
    {0x39, 0x56, 0x8c},
    {0x31, 0x68, 0x8e},
    {0x2a, 0x78, 0x8e},
    {0x23, 0x88, 0x8e},
    {0x1f, 0x98, 0x8b},
    {0x22, 0xa8, 0x84},
    {0x35, 0xb7, 0x79},
    {0x54, 0xc5, 0x68},
    {0x7a, 0xd1, 0x51},
    {0xa5, 0xdb, 0x36},
    {0xd2, 0xe2, 0x1b},
    {0xfd, 0xe7, 0x25},
}};

/// value: taken into 0..1.
inline Rgb viridis(double value) {
  constexpr std::size_t last = viridis_anchors.size() - 1;
  const double place = std::clamp(value, 0.0, 1.0) * last;
  const std::size_t i = std::min(static_cast<std::size_t>(place), last - 1);
  const double share = place - static_cast<double>(i);
  const Rgb a = viridis_anchors[i], b = viridis_anchors[i + 1];
  const auto mix = [share](std::uint8_t from, std::uint8_t to) {
    return static_cast<std::uint8_t>(std::lround(from + share * (to - from)));
  };
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

}  // namespace accrete::cli
