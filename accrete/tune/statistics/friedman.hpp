#pragma once
// Friedman's test of the hypothesis that several methods do equally well over several data sets (Demšar, 2006).

#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/tune/statistics/ranks.hpp"

namespace accrete::tune {

struct Friedman {
  std::vector<double> ranks;      ///< average rank of each method
  double chi_square = 0.0;        ///< from the average ranks, without tie correction, as in Demšar
  double p = 1.0;                 ///< of chi_square with methods - 1 degrees of freedom
  double iman_davenport_f = 0.0;  ///< the less conservative statistic; infinite if all data sets agree on every rank
  double iman_davenport_p = 1.0;  ///< of F with methods - 1 and (methods - 1)(data sets - 1) degrees of freedom
};

/// scores: data sets x methods. Throws UsageError unless there are at least 2 of each, and as average_ranks does.
Friedman friedman(core::MatrixView<const double> scores, Better better);

}  // namespace accrete::tune
