#include "accrete/core/aligned.hpp"

#include <cstdlib>

#include "accrete/core/mapped.hpp"

namespace accrete::core {
namespace {

constexpr std::size_t alignment = 64;

/// Smaller allocations skip free_memory(), which reads /proc/meminfo.
constexpr std::size_t min_mapped_bytes = std::size_t{16} << 20;

/// Stored directly before the pointer that the caller receives.
struct AllocationHeader {
  void* begin;
  std::size_t mapped_bytes;  ///< size of the mapped file; 0 for memory from calloc
};

}  // namespace

void* allocate_zeroed(std::size_t bytes) {
  std::size_t space = sizeof(AllocationHeader) + alignment + bytes;
  const bool in_file = bytes >= min_mapped_bytes && bytes > free_memory();
  void* const begin = in_file ? map_temporary(space) : std::calloc(space, 1);
  if (!begin) throw std::bad_alloc();
  const AllocationHeader header{begin, in_file ? space : 0};
  void* data = static_cast<char*>(begin) + sizeof(AllocationHeader);
  space -= sizeof(AllocationHeader);
  std::align(alignment, bytes, data, space);
  static_cast<AllocationHeader*>(data)[-1] = header;
  return data;
}

void free_zeroed(void* data) noexcept {
  const AllocationHeader header = static_cast<AllocationHeader*>(data)[-1];
  header.mapped_bytes > 0 ? unmap_temporary(header.begin, header.mapped_bytes) : std::free(header.begin);
}

}  // namespace accrete::core
