#include "accrete/serve/short_slices.hpp"

#ifdef __linux__
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#endif

namespace accrete::serve {

#if defined(__linux__) && defined(SYS_sched_setattr)

namespace {

constexpr std::uint64_t slice = 100'000;  // nanoseconds; the shortest that the kernel grants

/// The kernel's struct sched_attr, in its first version; older C libraries do not declare it.
struct Attributes {
  std::uint32_t size = sizeof(Attributes);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0, deadline = 0, period = 0;
};

}  // namespace

void use_short_slices() {
  Attributes attributes;
  if (::syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  if (attributes.policy != SCHED_OTHER) return;  // respects another policy chosen by the user
  attributes.runtime = slice;
  ::syscall(SYS_sched_setattr, 0, &attributes, 0);
}

#else

void use_short_slices() {}

#endif

}  // namespace accrete::serve
