// The entry point of libFuzzer. The name of the target is a definition of the build.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const accrete::fuzz::Target* const target = [] {
    for (const auto& known : accrete::fuzz::targets())
      if (std::strcmp(known.name, ACCRETE_FUZZ_TARGET) == 0) return &known;
    return static_cast<const accrete::fuzz::Target*>(nullptr);
  }();
  target->run({bytes, size});
  return 0;
}
