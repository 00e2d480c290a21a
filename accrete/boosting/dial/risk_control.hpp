#pragma once
// Learn then Test (Angelopoulos et al., 2021): selects the settings whose risk is at most a given rate with a given
// confidence, from the number of failures among n independent rows.

#include <cstddef>
#include <functional>

namespace accrete::boosting {

/// The exact p-value of the hypothesis "more than `rate` of all rows fail" after `wrong` of `rows` failed:
/// P(Binomial(rows, rate) <= wrong).
double binomial_p_value(std::size_t wrong, std::size_t rows, double rate);

/// Minimum number of rows that can show the rate if none of them fails: (1 - rate)^rows <= 1 - confidence.
std::size_t min_test_rows(double rate, double confidence);

struct RiskLimit {
  double rate, confidence;
};

/// Fixed-sequence testing: tests settings in order until one fails. The confidence holds for all that passed together,
/// without a correction for multiple tests, because the order is fixed before the rows are seen. wrong_with(i) is the
/// number of failing rows with setting i. Returns how many settings passed.
std::size_t count_safe(std::size_t settings, std::size_t rows, RiskLimit limit,
                       const std::function<std::size_t(std::size_t)>& wrong_with);

}  // namespace accrete::boosting
