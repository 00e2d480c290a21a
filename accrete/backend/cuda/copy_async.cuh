#pragma once
// Asynchronous copies from global to shared memory. A thread waits for its own copies only.

namespace accrete::cuda {

/// Copies 16 bytes to shared memory asynchronously.
__device__ inline void copy_async(float* to, const float* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
/// Copies the first `count` of four floats, and zeros in place of the others. `from` is not read if count is 0.
__device__ inline void copy_async(float* to, const float* from, unsigned count) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(from), "r"(count * 4)
      : "memory");
}
/// Copies one float.
__device__ inline void copy_float_async(float* to, const float* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
__device__ inline void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Waits until at most `pending` of the last committed groups of copies are under way.
template <int pending = 0>
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

}  // namespace accrete::cuda
