#pragma once
// Flushes denormal floats to zero. An operation on a denormal costs about a hundred times a normal one on many
// processors, and saturated units produce many of them.

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace accrete::core {

/// Sets flush-to-zero for the current thread; the destructor restores the previous mode.
class FlushDenormals {
 public:
  FlushDenormals() : before_(read()) { write(before_ | bits); }
  ~FlushDenormals() { write(before_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
#if defined(__x86_64__)
  static constexpr std::uint64_t bits = 0x8040;  // flush to zero, denormals are zero
  static std::uint64_t read() {
    return _mm_getcsr();
  }
  static void write(std::uint64_t mode) {
    _mm_setcsr(static_cast<unsigned>(mode));
  }
#elif defined(__aarch64__)
  static constexpr std::uint64_t bits = std::uint64_t{1} << 24;  // FZ
  static std::uint64_t read() {
    std::uint64_t mode;
    asm volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
  }
  static void write(std::uint64_t mode) {
    asm volatile("msr fpcr, %0" : : "r"(mode));
  }
#else
  static constexpr std::uint64_t bits = 0;
  static std::uint64_t read() {
    return 0;
  }
  static void write(std::uint64_t) {}
#endif

  std::uint64_t before_;
};

}  // namespace accrete::core
