#pragma once
// A thread's own numbers, one for each unit or output.

#include "accrete/backend/cuda/work.cuh"

namespace accrete::cuda {

/// In registers, where it is known when a kernel is compiled how many there are.
template <class T, int N>
struct Numbers {
  static constexpr unsigned stride = 1;
  T of[N];

  __device__ explicit Numbers(Slot) {}
  __device__ __forceinline__ T& operator[](unsigned i) { return of[i]; }
  __device__ __forceinline__ const T& operator[](unsigned i) const { return of[i]; }
  __device__ T* data() { return of; }
  __device__ const T* data() const { return of; }
};

/// Else in memory: number i of neighbouring threads side by side, in a slot of the block's own or anywhere.
template <class T>
struct Numbers<T, 0> {
  T* at;
  unsigned stride;

  __device__ explicit Numbers(Slot slot)
      : at(in_own<T>(work().at.slots + static_cast<unsigned>(slot) * work().at.slot_bytes) + threadIdx.x),
        stride(blockDim.x) {}
  __device__ Numbers(T* first, unsigned apart) : at(first), stride(apart) {}
  __device__ T& operator[](unsigned i) const { return at[i * stride]; }
  __device__ T* data() const { return at; }
};

}  // namespace accrete::cuda
