#pragma once
// Learn then Test (Angelopoulos et al., 2021): which of a list of settings have a risk of at most a given rate, with a
// given confidence, judged by how many of n independent rows went wrong.

#include <cstddef>
#include <functional>

namespace accrete::boosting {

/// The exact p-value of "more than `rate` of all rows go wrong" after `wrong` of `rows` did: P(Binomial(rows, rate) <=
/// wrong).
double binomial_p_value(std::size_t wrong, std::size_t rows, double rate);

/// The fewest rows that can show the rate, with none of them wrong: (1 - rate)^rows <= 1 - confidence.
std::size_t min_test_rows(double rate, double confidence);

struct RiskLimit {
  double rate, confidence;
};

/// Fixed-sequence testing: settings are tested in order until one fails. All that passed keep the limit together with
/// the confidence, without a correction for their number, because the order is fixed before the rows are seen.
/// wrong_with(i) is the number of rows that go wrong with setting i. Returns how many passed.
std::size_t count_safe(std::size_t settings, std::size_t rows, RiskLimit limit,
                       const std::function<std::size_t(std::size_t)>& wrong_with);

}  // namespace accrete::boosting
