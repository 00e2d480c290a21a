#pragma once
// Numbers too small for the normal float format cost a hundred times an ordinary operation on many processors, and a
// saturated unit makes them by the thousand. While this object lives, its thread takes them as zero.

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace accrete::core {

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
