#pragma once
// Out-of-core storage: data larger than free memory goes to a mapped temporary file, which the system pages in and out.
//
// The caller decides once per table, by the size of all columns together:
//
//   const bool large = rows * columns * sizeof(float) > core::free_memory();
//   core::FloatColumn column = large ? core::mapped_column(rows) : core::FloatColumn(rows);

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace accrete::core {

/// Bytes that can be allocated without swapping; the largest std::size_t if the system does not report it.
std::size_t free_memory();

/// Adds `bytes` to free_memory() during its lifetime: memory in use now that will be released while the new allocation
/// is filled.
class PendingMemory {
 public:
  explicit PendingMemory(std::size_t bytes);
  ~PendingMemory();
  PendingMemory(const PendingMemory&) = delete;
  PendingMemory& operator=(const PendingMemory&) = delete;

 private:
  std::size_t bytes_;
};

/// Replaces the system's free memory during its lifetime. For tests; not thread-safe.
class FreeMemoryOverride {
 public:
  explicit FreeMemoryOverride(std::size_t bytes);
  ~FreeMemoryOverride();
  FreeMemoryOverride(const FreeMemoryOverride&) = delete;
  FreeMemoryOverride& operator=(const FreeMemoryOverride&) = delete;
};

/// Zeroed bytes in an unlinked file in $TMPDIR (default /var/tmp). The file disappears when it is unmapped or the
/// process ends, even by a crash. Throws FileError, naming the folder, if it is not writable or the disk is full.
void* map_temporary(std::size_t bytes);
void unmap_temporary(void* data, std::size_t bytes) noexcept;

enum class Storage { memory, file };

/// Allocates with std::allocator (Storage::memory) or in mapped files (Storage::file). Copies of a vector use the same
/// storage as the original.
template <class T>
struct StorageAllocator {
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  using is_always_equal = std::false_type;

  StorageAllocator() = default;
  explicit StorageAllocator(Storage where) : storage(where) {}
  template <class U>
  StorageAllocator(const StorageAllocator<U>& other) : storage(other.storage) {}

  T* allocate(std::size_t n) {
    if (storage == Storage::memory) return std::allocator<T>().allocate(n);
    if (n > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(map_temporary(n * sizeof(T)));
  }
  void deallocate(T* p, std::size_t n) {
    storage == Storage::memory ? std::allocator<T>().deallocate(p, n) : unmap_temporary(p, n * sizeof(T));
  }
  bool operator==(const StorageAllocator&) const = default;

  Storage storage = Storage::memory;
};

/// The values of a numeric column, in memory or in a mapped file. Converts from a plain vector.
struct FloatColumn : std::vector<float, StorageAllocator<float>> {
  using Base = std::vector<float, StorageAllocator<float>>;
  using Base::Base;
  FloatColumn() = default;
  FloatColumn(const std::vector<float>& values) : Base(values.begin(), values.end()) {}

  bool is_mapped() const { return get_allocator().storage == Storage::file; }
};

bool operator==(const FloatColumn& column, const std::vector<float>& values);

/// n zeros in a mapped file.
FloatColumn mapped_column(std::size_t n);

}  // namespace accrete::core
