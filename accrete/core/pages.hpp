#pragma once
// Memory given back to the system page by page, so that a large array that is used up takes what is left of it.

#include <cstddef>
#include <span>

namespace accrete::core {

/// Gives the whole pages inside the range back to the system. The range stays valid; what it holds is lost: the
/// elements are zero or what they were, and must be written before they are read. Nothing happens off Linux.
void give_back(void* first, std::size_t bytes);

template <class T>
void give_back(std::span<T> values) {
  give_back(values.data(), values.size_bytes());
}

}  // namespace accrete::core
