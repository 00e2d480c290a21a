#pragma once
// Consistency of a model, checked before it is written and after it is read.

#include "accrete/model/model.hpp"

namespace accrete::io {

/// Throws DataError if task, loss, classes, targets and outputs are inconsistent, if encoder and network have different
/// numbers of features, if a shift or scale is missing, or if a number of network, encoder or target is not finite.
void check_model(const model::Model& model);

}  // namespace accrete::io
