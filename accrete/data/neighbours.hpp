#pragma once
// How the features that a kernel reads lie in memory: what it may take for granted, and what it should fetch ahead.

#include <unistd.h>

#include <cstddef>
#include <span>

#include "accrete/data/features.hpp"

namespace accrete::data {

/// Features of so many bytes stay in a second-level cache from one pass over the rows to the next: three quarters of
/// it, where the system says how large it is.
inline std::size_t near_bytes() {
  long cache = 0;
#ifdef _SC_LEVEL2_CACHE_SIZE
  static const long found = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
  cache = found;
#endif
  return cache > 0 ? static_cast<std::size_t>(cache) / 4 * 3 : 512 * 1024;
}

/// More than this does not stay in a cache that cores share either: every pass reads it from memory.
inline constexpr std::size_t shared_bytes = 32 * 1024 * 1024;

inline std::size_t bytes_of(const Features& x) {
  return x.tiles() * x.tile_rows() * x.stored().cols() * sizeof(float);
}
inline bool are_far(const Features& x) {
  return bytes_of(x) > near_bytes();
}
inline bool are_in_memory(const Features& x) {
  return bytes_of(x) > shared_bytes;
}

/// Does each lie behind the one before it in a tile, as it is?
inline bool are_neighbours(std::span<const FeatureSource> features) {
  for (std::size_t i = 0; i < features.size(); ++i)
    if (features[i].ramped || features[i].column != features[0].column + i) return false;
  return true;
}

}  // namespace accrete::data
