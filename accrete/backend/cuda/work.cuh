#pragma once
// A block's memory, by name.

#include "accrete/backend/cuda/layout.hpp"

namespace accrete::cuda {

extern __shared__ __align__(16) char block_memory[];

__device__ inline Work& work() {
  return *reinterpret_cast<Work*>(block_memory);
}
__device__ inline const FitPlan& plan() {
  return work().plan;
}
__device__ inline const DeviceRows& rows() {
  return work().rows;
}

template <class T>
__device__ inline T* in_shared(std::size_t offset) {
  return static_cast<T*>(__builtin_assume_aligned(block_memory + offset, 16));
}
template <class T>
__device__ inline T* in_global(std::size_t offset) {
  char* at = work().global + offset;
  __builtin_assume(__isGlobal(at));
  return reinterpret_cast<T*>(at);
}

/// Where what had no room in shared memory is.
template <class T>
__device__ inline T* in_own(std::size_t offset) {
  return reinterpret_cast<T*>(work().own + offset);
}

/// Vectors of a step: in shared memory, but for fits that may be too large for it.
template <class T, bool general>
__device__ inline T* in_block(std::size_t offset) {
  if (general && !work().at.vectors_shared) return in_own<T>(offset);
  return in_shared<T>(offset);
}

/// Four numbers from shared memory, by an instruction that stays where it is: taken out of a loop over rows, the
/// weights of a layer would fill the registers.
template <class Four, class T>
__device__ inline Four load_here(const T* from) {
  static_assert(sizeof(Four) == 16);
  uint4 bits;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(bits.x), "=r"(bits.y), "=r"(bits.z), "=r"(bits.w)
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from))));
  return __builtin_bit_cast(Four, bits);
}

}  // namespace accrete::cuda
