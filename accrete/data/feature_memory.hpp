#pragma once
// Which cache level holds the features that a kernel reads, and whether they are contiguous within a tile.

#include <unistd.h>

#include <cstddef>
#include <span>

#include "accrete/data/features.hpp"

namespace accrete::data {

/// Features up to this many bytes stay in the L2 cache between passes over the rows: three quarters of its size, if the
/// system reports one.
inline std::size_t l2_bytes() {
  long cache = 0;
#ifdef _SC_LEVEL2_CACHE_SIZE
  static const long found = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
  cache = found;
#endif
  return cache > 0 ? static_cast<std::size_t>(cache) / 4 * 3 : 512 * 1024;
}

/// Features larger than this do not stay in a shared cache either: every pass reads them from memory.
inline constexpr std::size_t shared_cache_bytes = 32 * 1024 * 1024;

inline std::size_t bytes_of(const Features& x) {
  return x.tiles() * x.tile_rows() * x.stored().cols() * sizeof(float);
}
inline bool exceeds_l2(const Features& x) {
  return bytes_of(x) > l2_bytes();
}
inline bool exceeds_caches(const Features& x) {
  return bytes_of(x) > shared_cache_bytes;
}

/// True if there are features and all are stored columns, contiguous within a tile.
inline bool are_contiguous(std::span<const FeatureSource> features) {
  if (features.empty()) return false;
  for (std::size_t i = 0; i < features.size(); ++i)
    if (features[i].is_computed() || features[i].column != features[0].column + i) return false;
  return true;
}

}  // namespace accrete::data
