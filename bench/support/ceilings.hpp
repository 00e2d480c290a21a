#pragma once
// Hardware ceilings of one thread, to be timed by the caller: multiply-adds in registers, and reading a buffer of a
// given size.

#include <cstddef>

#include "accrete/core/aligned.hpp"

namespace accrete::bench {

/// Runs independent multiply-adds on full vectors in registers; returns the number of float operations, two each.
double multiply_adds();

/// Reads a buffer repeatedly, so that a small buffer measures a cache.
class BufferReader {
 public:
  explicit BufferReader(std::size_t bytes);
  /// Reads the buffer once, or repeatedly until 1 MiB is read; returns the bytes read.
  double operator()() const;

 private:
  core::AlignedVector<float> buffer_;
};

/// The instruction set that Highway dispatches to, the same as for the library's kernels.
const char* instruction_set();

}  // namespace accrete::bench
