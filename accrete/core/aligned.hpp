#pragma once
// Vectors aligned to a cache line (64 bytes), for aligned SIMD loads.

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace accrete::core {

template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }
  bool operator==(const AlignedAllocator&) const { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

/// Zeroed memory, aligned to 64 bytes; pages are committed on first write. An allocation larger than free_memory()
/// becomes a mapped temporary file and throws like map_temporary (core/mapped.hpp). Throws std::bad_alloc.
void* allocate_zeroed(std::size_t bytes);
void free_zeroed(void* data) noexcept;

/// Allocates with allocate_zeroed, so that a large vector costs nothing until it is filled, and the threads that fill
/// it share the page faults. Default-constructed elements are not written; they rely on the zeroed memory, so create
/// the vector at its final size. An element of a vector that shrinks and grows again keeps its old value.
template <class T>
struct ZeroedAllocator {
  using value_type = T;

  ZeroedAllocator() = default;
  template <class U>
  ZeroedAllocator(const ZeroedAllocator<U>&) {}

  T* allocate(std::size_t n) {
    constexpr auto max_bytes = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
    if (n > max_bytes / 2 / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(allocate_zeroed(n * sizeof(T)));
  }
  void deallocate(T* p, std::size_t) { free_zeroed(p); }

  void construct(T*) {}
  template <class... Values>
  void construct(T* p, Values&&... values) {
    std::construct_at(p, std::forward<Values>(values)...);
  }
  bool operator==(const ZeroedAllocator&) const { return true; }
};

template <class T>
using ZeroedVector = std::vector<T, ZeroedAllocator<T>>;

}  // namespace accrete::core
