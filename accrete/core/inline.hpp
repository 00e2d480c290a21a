#pragma once
// ACCRETE_INLINE forces one-row formulas to be inlined into every kernel, and so compiled for the kernel's instruction
// set. ACCRETE_HOST_DEVICE marks functions that CUDA kernels also call.

#ifdef __CUDACC__
#define ACCRETE_HOST_DEVICE __host__ __device__
#define ACCRETE_INLINE __host__ __device__ __forceinline__
#else
#define ACCRETE_HOST_DEVICE
#define ACCRETE_INLINE inline __attribute__((always_inline))
#endif
