#pragma once
// Returns pages of a live allocation to the system, so that an array releases memory while it is consumed.

#include <cstddef>
#include <span>

namespace accrete::core {

/// Returns the pages that lie entirely inside the range to the system. The range stays valid; its content becomes
/// unspecified (zero or unchanged). No effect on systems other than Linux.
void release_pages(void* first, std::size_t bytes);

template <class T>
void release_pages(std::span<T> values) {
  release_pages(values.data(), values.size_bytes());
}

}  // namespace accrete::core
