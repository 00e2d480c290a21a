#include "accrete/solver/cholesky.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "accrete/core/random.hpp"
#include "accrete/solver/least_squares.hpp"

namespace accrete::solver::cholesky_test {
namespace {

/// A'A of random numbers: positive definite where there are more rows than columns.
std::vector<double> products(std::size_t n, std::size_t rows) {
  core::Rng rng(1, n, core::Purpose::generator);
  std::vector<double> a(rows * n), result(n * n);
  for (double& x : a) x = rng.normal();
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) result[i * n + j] += a[r * n + i] * a[r * n + j];
  return result;
}

TEST(Eliminate, SolvesTheSystemWithAllRows) {
  for (std::size_t n : {1, 2, 7, 40}) {
    const auto matrix = products(n, n + 5);
    auto upper = matrix;
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) x[i] += matrix[i * n + j] * static_cast<double>(j + 1);
    eliminate(upper.data(), n, n);
    solve_eliminated(upper.data(), n, x.data());
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], static_cast<double>(i + 1), 1e-8) << n;
  }
}

TEST(Eliminate, LeavesTheSchurComplement) {
  // [A B; B' C] leaves C - B' A^-1 B, here by hand for A of one and of two rows.
  std::vector<double> m{4, 2, 6, 0, 5, 1, 0, 0, 20};
  eliminate(m.data(), 3, 1);
  EXPECT_DOUBLE_EQ(m[4], 4.0);
  EXPECT_DOUBLE_EQ(m[5], -2.0);
  EXPECT_DOUBLE_EQ(m[8], 11.0);
  EXPECT_EQ(m[3], 0.0) << "below the diagonal nothing is touched";
  m = {4, 2, 6, 0, 5, 1, 0, 0, 20};
  eliminate(m.data(), 3, 2);
  EXPECT_DOUBLE_EQ(m[8], 10.0);
}

TEST(Eliminate, SkipsLinearlyDependentRows) {
  std::vector<double> m{1, 2, 3, 2, 4, 6, 3, 6, 13};
  eliminate(m.data(), 3, 2);
  EXPECT_EQ(m[4], 1.0);
  EXPECT_EQ(m[5], 0.0);
  EXPECT_DOUBLE_EQ(m[8], 4.0) << "as the first row alone leaves it";
  std::vector<double> zero(9);
  eliminate(zero.data(), 3, 3);
  std::vector<double> x{0, 0, 0};
  solve_eliminated(zero.data(), 3, x.data());
  EXPECT_EQ(x, (std::vector<double>{0, 0, 0}));
}

TEST(SolvePositive, BoundsPivotsByTheLargestDiagonalElement) {
  // The first unit is almost constant: its weight is bounded by 1e-12 of the second's square, not by its own.
  std::vector<double> gram{1e-15, 0.0, 0.0, 4.0}, right{1e-12, 8.0};
  solve_positive(gram, right, 2, 1);
  EXPECT_NEAR(right[0], 1e-12 / 4e-12, 1e-9);
  EXPECT_NEAR(right[1], 2.0, 1e-12);
}

}  // namespace
}  // namespace accrete::solver::cholesky_test
