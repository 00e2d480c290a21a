#include "accrete/core/aligned.hpp"

#include <cstdlib>

#include "accrete/core/mapped.hpp"

namespace accrete::core {
namespace {

constexpr std::size_t alignment = 64;

/// Below this, asking how much memory is free is not worth its time.
constexpr std::size_t small = std::size_t{16} << 20;

/// What lies right before the memory handed out.
struct Whole {
  void* begin;
  std::size_t mapped;  ///< bytes of the file; 0: not a file
};

}  // namespace

void* take_zeroed(std::size_t bytes) {
  std::size_t room = sizeof(Whole) + alignment + bytes;
  const bool in_file = bytes >= small && bytes > free_memory();
  void* const begin = in_file ? map_temporary(room) : std::calloc(room, 1);
  if (!begin) throw std::bad_alloc();
  const Whole whole{begin, in_file ? room : 0};
  void* place = static_cast<char*>(begin) + sizeof(Whole);
  room -= sizeof(Whole);
  std::align(alignment, bytes, place, room);
  static_cast<Whole*>(place)[-1] = whole;
  return place;
}

void return_zeroed(void* place) noexcept {
  const Whole whole = static_cast<Whole*>(place)[-1];
  whole.mapped > 0 ? unmap_temporary(whole.begin, whole.mapped) : std::free(whole.begin);
}

}  // namespace accrete::core
