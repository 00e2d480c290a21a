#include "accrete/core/pages.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#endif

namespace accrete::core {

void release_pages([[maybe_unused]] void* first, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t skipped = (page - reinterpret_cast<std::uintptr_t>(first) % page) % page;
  if (bytes < skipped + page) return;
  // An error (locked or huge pages) leaves the memory unchanged, which the contract allows.
  ::madvise(static_cast<char*>(first) + skipped, (bytes - skipped) / page * page, MADV_DONTNEED);
#endif
}

}  // namespace accrete::core
