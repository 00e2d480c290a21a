#include "accrete/model/link_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/core/aligned.hpp"

namespace accrete::model::link_kernel_test {
namespace {

constexpr std::size_t stride = 128;

TEST(LinkKernel, SigmoidMatchesTheStandardLibrary) {
  for (const std::size_t rows : {1, 64, 65, 128}) {
    core::AlignedVector<double> scores(stride, 0.0);
    for (std::size_t r = 0; r < rows; ++r) scores[r] = (static_cast<double>(r) - 40.0) * (r % 3 == 0 ? 20.0 : 0.3);
    core::Matrix<double> p(rows, 2);
    const auto given = scores;
    sigmoid_tile({scores.data(), stride}, p);
    for (std::size_t r = 0; r < rows; ++r) {
      for (const double sign : {-1.0, 1.0}) {
        const double expected = 1.0 / (1.0 + std::exp(-sign * given[r]));
        ASSERT_NEAR(p(r, sign > 0.0 ? 1 : 0), expected, 1e-15 * expected + 1e-300) << given[r];
      }
    }
  }
}

TEST(LinkKernel, SoftmaxMatchesTheStandardLibrary) {
  for (const std::size_t rows : {1, 64, 100}) {
    core::AlignedVector<double> scores(3 * stride, 0.0);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t k = 0; k < 3; ++k)
        scores[k * stride + r] = 1e4 + static_cast<double>((r * 7 + k * 13) % 31) * (r % 5 == 0 ? 40.0 : 0.2);
    core::Matrix<double> p(rows, 3);
    const auto given = scores;
    softmax_tile({scores.data(), stride}, p);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t k = 0; k < 3; ++k) {
        double sum = 0.0;
        for (std::size_t j = 0; j < 3; ++j) sum += std::exp(given[j * stride + r] - given[k * stride + r]);
        ASSERT_NEAR(p(r, k), 1.0 / sum, 1e-14 / sum + 1e-300) << r << ' ' << k;
      }
  }
}

}  // namespace
}  // namespace accrete::model::link_kernel_test
