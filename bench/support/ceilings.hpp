#pragma once
// What a machine can do at most, on one thread, for whoever times it: arithmetic from registers, and reading memory of
// a given size.

#include <cstddef>

#include "accrete/core/aligned.hpp"

namespace accrete::bench {

/// Does so many float operations: independent multiply-adds on full vectors, two operations each, all in registers.
double multiply_adds();

/// Reads a buffer of this size, over and over; so a small one is a cache's figure.
class Reading {
 public:
  explicit Reading(std::size_t bytes);
  /// Once, or as often as makes a megabyte; returns the bytes read.
  double operator()() const;

 private:
  core::AlignedVector<float> buffer_;
};

/// The instruction set that Highway chose here, as the kernels of the library do.
const char* instruction_set();

}  // namespace accrete::bench
