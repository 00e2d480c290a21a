#pragma once
// Typed access to the memory of a block (layout.hpp).

#include "accrete/backend/cuda/layout.hpp"

namespace accrete::cuda {

extern __shared__ __align__(16) char shared_memory[];

__device__ inline BlockState& state() {
  return *reinterpret_cast<BlockState*>(shared_memory);
}
__device__ inline const FitPlan& plan() {
  return state().plan;
}
__device__ inline const DeviceRows& rows() {
  return state().rows;
}
__device__ inline const Layout& layout() {
  return state().layout;
}

template <class T>
__device__ inline T* in_shared(std::size_t offset) {
  return static_cast<T*>(__builtin_assume_aligned(shared_memory + offset, 16));
}
template <class T>
__device__ inline T* in_fit_memory(std::size_t offset) {
  char* at = state().fit_memory + offset;
  __builtin_assume(__isGlobal(at));
  return reinterpret_cast<T*>(at);
}
template <class T>
__device__ inline T* in_block_memory(std::size_t offset) {
  return reinterpret_cast<T*>(state().block_memory + offset);
}

/// A vector of the step: in shared memory, or in global memory where a general kernel keeps it.
template <class T, bool general>
__device__ inline T* step_vector(std::size_t offset) {
  if (general && !layout().vectors_shared) return in_block_memory<T>(offset);
  return in_shared<T>(offset);
}

/// Loads 16 bytes from shared memory. The compiler cannot hoist it; hoisting layer weights out of a loop over rows
/// would fill the registers.
template <class Vector, class T>
__device__ inline Vector load_volatile(const T* from) {
  static_assert(sizeof(Vector) == 16);
  uint4 bits;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(bits.x), "=r"(bits.y), "=r"(bits.z), "=r"(bits.w)
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from))));
  return __builtin_bit_cast(Vector, bits);
}

/// A per-thread array with one element per unit or output: in registers if N is known at compile time.
template <class T, int N>
struct ThreadArray {
  static constexpr unsigned stride = 1;
  T values[N];

  __device__ explicit ThreadArray(ThreadArrayId) {}
  __device__ __forceinline__ T& operator[](unsigned i) { return values[i]; }
  __device__ __forceinline__ const T& operator[](unsigned i) const { return values[i]; }
  __device__ T* data() { return values; }
  __device__ const T* data() const { return values; }
};

/// For unknown N: in global memory, interleaved so that element i of neighbouring threads is contiguous and accesses
/// coalesce.
template <class T>
struct ThreadArray<T, 0> {
  T* first;
  unsigned stride;

  __device__ explicit ThreadArray(ThreadArrayId id)
      : first(in_block_memory<T>(layout().thread_arrays + static_cast<unsigned>(id) * layout().thread_array_bytes) +
              threadIdx.x),
        stride(blockDim.x) {}
  __device__ ThreadArray(T* at, unsigned apart) : first(at), stride(apart) {}
  __device__ T& operator[](unsigned i) const { return first[i * stride]; }
  __device__ T* data() const { return first; }
};

}  // namespace accrete::cuda
