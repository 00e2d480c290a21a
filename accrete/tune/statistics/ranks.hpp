#pragma once
// Ranks of methods on a data set and their averages over data sets: 1 is best, ties share their mean rank.

#include <span>
#include <vector>

#include "accrete/core/matrix.hpp"

namespace accrete::tune {

enum class Better { lower, higher };

/// One rank per value. Throws DataError for a NaN, which cannot be ranked.
std::vector<double> ranks(std::span<const double> values, Better better);

/// scores: data sets x methods. Returns one average rank per method. Throws DataError if there are no data sets, and as
/// ranks does.
std::vector<double> average_ranks(core::MatrixView<const double> scores, Better better);

}  // namespace accrete::tune
