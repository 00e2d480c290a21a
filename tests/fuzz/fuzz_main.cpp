// The entry point of libFuzzer. ACCRETE_FUZZ_TARGET is the function of the target. It is called directly, so that the
// program contains no other target: libFuzzer's work per execution grows with the size of the program.

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  accrete::fuzz::ACCRETE_FUZZ_TARGET({bytes, size});
  return 0;
}
