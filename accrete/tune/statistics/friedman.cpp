#include "accrete/tune/statistics/friedman.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "accrete/core/error.hpp"
#include "accrete/tune/statistics/distribution.hpp"

namespace accrete::tune {

Friedman friedman(core::MatrixView<const double> scores, Better better) {
  if (scores.rows < 2 || scores.cols < 2)
    throw core::UsageError(fmt::format("Friedman's test of {} methods on {} data sets; needs at least 2 of each",
                                       scores.cols, scores.rows));
  Friedman test;
  test.ranks = average_ranks(scores, better);
  const auto n = static_cast<double>(scores.rows), k = static_cast<double>(scores.cols);
  double squares = 0.0;  // around the mean rank, which cancels less than the published formula
  for (const double rank : test.ranks) squares += (rank - 0.5 * (k + 1.0)) * (rank - 0.5 * (k + 1.0));
  test.chi_square = 12.0 * n / (k * (k + 1.0)) * squares;
  test.p = chi_square_sf(test.chi_square, k - 1.0);
  const double left = n * (k - 1.0) - test.chi_square;
  const bool agreed = left <= 1e-12 * n * k;
  test.iman_davenport_f = agreed ? std::numeric_limits<double>::infinity() : (n - 1.0) * test.chi_square / left;
  test.iman_davenport_p = f_sf(test.iman_davenport_f, k - 1.0, (k - 1.0) * (n - 1.0));
  return test;
}

}  // namespace accrete::tune
