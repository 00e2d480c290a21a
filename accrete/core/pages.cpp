#include "accrete/core/pages.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#endif

namespace accrete::core {

void give_back([[maybe_unused]] void* first, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  const std::uintptr_t from = (begin + page - 1) / page * page, to = (begin + bytes) / page * page;
  // A refusal (locked or huge pages) leaves the memory as it is, which is allowed.
  if (from < to) ::madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
#endif
}

}  // namespace accrete::core
