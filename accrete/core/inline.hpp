#pragma once
// Formulas of one row are inlined into every kernel, whatever instruction set that kernel is compiled for. What a GPU
// runs as well is the same source: CUDA's compiler wants it marked.

#ifdef __CUDACC__
#define ACCRETE_ANYWHERE __host__ __device__
#define ACCRETE_INLINE __host__ __device__ __forceinline__
#else
#define ACCRETE_ANYWHERE
#define ACCRETE_INLINE inline __attribute__((always_inline))
#endif
