#pragma once
// Vectors whose first element lies on a cache line, as wide vector loads prefer.

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

/// Zeroed memory on a cache line, of which the system hands out a page when it is first written to. What is larger than
/// the memory that is free lies in a mapped temporary file (core/mapped.hpp), and may throw as that does.
void* take_zeroed(std::size_t bytes);
void return_zeroed(void* place) noexcept;

/// Such memory: a large vector of it costs nothing until it is filled, and the threads that fill it share the work of
/// clearing it. Elements made without a value are the zeros that are there, so vectors of it are made once at their
/// size, and never shrunk and grown again.
template <class T>
struct ZeroedAllocator {
  using value_type = T;

  ZeroedAllocator() = default;
  template <class U>
  ZeroedAllocator(const ZeroedAllocator<U>&) {}

  T* allocate(std::size_t n) {
    constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
    if (n > most / 2 / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(take_zeroed(n * sizeof(T)));
  }
  void deallocate(T* p, std::size_t) { return_zeroed(p); }

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
