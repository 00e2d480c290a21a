#pragma once
// Predictions beyond double precision, as a log link gives for a large offset.

#include <string_view>

#include "accrete/core/matrix.hpp"

namespace accrete::model {

/// Throws DataError for the first row whose prediction is not finite, or is the largest double, at which a log link
/// clamps. source: names the rows in the message.
void refuse_overflow(core::MatrixView<const double> predictions, std::string_view source);

}  // namespace accrete::model
