#pragma once
// The small symmetric systems of the projected output layer.

#include <cstddef>
#include <span>

namespace accrete::solver {

/// Solves (gram) X = right for each of `columns` right-hand sides, in place: gram is n x n (only its lower triangle is
/// read, then overwritten), right is n x columns. A gram that is singular to rounding gets the least ridge that makes
/// it positive definite, so linearly dependent units share their weight instead of failing.
void solve_positive(std::span<double> gram, std::span<double> right, std::size_t n, std::size_t columns);

}  // namespace accrete::solver
