#pragma once
// The worked example of Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7 (2006),
// table 6: AUC of C4.5 with m and cf tuned or not, on 14 data sets. Where the paper ranks two scores that look equal in
// print (voting, the last two), a digit is added.

#include "accrete/core/matrix.hpp"

namespace accrete::tune {

inline core::Matrix<double> demsar_scores() {
  constexpr double table[14][4] = {
      {0.763, 0.768, 0.771, 0.798},  {0.599, 0.591, 0.590, 0.569}, {0.954, 0.971, 0.968, 0.967},
      {0.628, 0.661, 0.654, 0.657},  {0.882, 0.888, 0.886, 0.898}, {0.936, 0.931, 0.916, 0.931},
      {0.661, 0.668, 0.609, 0.685},  {0.583, 0.583, 0.563, 0.625}, {0.775, 0.838, 0.866, 0.875},
      {1.000, 1.000, 1.000, 1.000},  {0.940, 0.962, 0.965, 0.962}, {0.619, 0.666, 0.614, 0.669},
      {0.972, 0.981, 0.9751, 0.975}, {0.957, 0.978, 0.946, 0.970}};
  core::Matrix<double> scores(14, 4);
  for (std::size_t r = 0; r < 14; ++r)
    for (std::size_t c = 0; c < 4; ++c) scores(r, c) = table[r][c];
  return scores;
}

}  // namespace accrete::tune
