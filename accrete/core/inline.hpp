#pragma once
// Formulas of one row are inlined into every kernel, whatever instruction set that kernel is compiled for.

#define ACCRETE_INLINE inline __attribute__((always_inline))
