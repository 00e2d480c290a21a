#pragma once
// The sums of a tree over chunks (comm/tree_sum.hpp), compiled once per instruction set. They only add, in a fixed
// order, so the result does not depend on the instruction set.

#include <cstddef>

namespace accrete::comm {

/// sums = (a + b) + (c + d), in double; c and d may both be null, and b may be null too.
void sum_chunks(const float* a, const float* b, const float* c, const float* d, double* sums, std::size_t count);
void sum_chunks(const double* a, const double* b, const double* c, const double* d, double* sums, std::size_t count);

/// sums += more
void add_sums(const double* more, double* sums, std::size_t count);

}  // namespace accrete::comm
