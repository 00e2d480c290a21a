#pragma once
// Memory that may lie in a file: what is larger than the machine's memory is kept in a mapped temporary file, whose
// pages the system moves in and out as they are used.
//
// Whoever is about to make a large table decides once, by all that it will hold at the same time:
//
//   const bool large = rows * columns * sizeof(float) > core::free_memory();
//   core::Numbers column = large ? core::mapped_numbers(rows) : core::Numbers(rows);

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace accrete::core {

/// Bytes that can be taken without pushing anything else out of memory; the largest number where the system does not
/// say.
std::size_t free_memory();

/// While it lives, free_memory() counts so many bytes more: they are in use, and given back while what is made
/// meanwhile is filled.
class MemoryToCome {
 public:
  explicit MemoryToCome(std::size_t bytes);
  ~MemoryToCome();
  MemoryToCome(const MemoryToCome&) = delete;
  MemoryToCome& operator=(const MemoryToCome&) = delete;

 private:
  std::size_t bytes_;
};

/// While it lives, free_memory() counts from this: for tests. Not for several threads.
class PretendedFreeMemory {
 public:
  explicit PretendedFreeMemory(std::size_t bytes);
  ~PretendedFreeMemory();
  PretendedFreeMemory(const PretendedFreeMemory&) = delete;
  PretendedFreeMemory& operator=(const PretendedFreeMemory&) = delete;
};

/// Zeroed bytes in a file of $TMPDIR, or /var/tmp, that has no name any more: it is gone when the bytes are given back
/// and when the program ends, however it does. Throws FileError, naming the folder, when it cannot be written to or has
/// no room.
void* map_temporary(std::size_t bytes);
void unmap_temporary(void* place, std::size_t bytes) noexcept;

enum class Room { memory, file };

/// An allocator that is the usual one unless told to use files; copies of a vector lie where it does.
template <class T>
struct RoomAllocator {
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  using is_always_equal = std::false_type;

  RoomAllocator() = default;
  explicit RoomAllocator(Room where) : room(where) {}
  template <class U>
  RoomAllocator(const RoomAllocator<U>& other) : room(other.room) {}

  T* allocate(std::size_t n) {
    if (room == Room::memory) return std::allocator<T>().allocate(n);
    if (n > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(map_temporary(n * sizeof(T)));
  }
  void deallocate(T* p, std::size_t n) {
    room == Room::memory ? std::allocator<T>().deallocate(p, n) : unmap_temporary(p, n * sizeof(T));
  }
  bool operator==(const RoomAllocator&) const = default;

  Room room = Room::memory;
};

/// The numbers of a column. A type of its own, so that a plain vector can be given for it.
struct Numbers : std::vector<float, RoomAllocator<float>> {
  using Base = std::vector<float, RoomAllocator<float>>;
  using Base::Base;
  Numbers() = default;
  Numbers(const std::vector<float>& values) : Base(values.begin(), values.end()) {}

  bool is_mapped() const { return get_allocator().room == Room::file; }
};

bool operator==(const Numbers& numbers, const std::vector<float>& values);

/// So many zeros in a file.
Numbers mapped_numbers(std::size_t n);

}  // namespace accrete::core
