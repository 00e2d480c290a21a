#pragma once
// Whether the parts of a model belong together: asked before a model is written and after one is read.

#include "accrete/model/model.hpp"

namespace accrete::io {

/// Throws DataError when task, loss, classes, targets and outputs disagree, when encoder and network differ
/// in width, when a shift or scale is missing, or when a number of the network, encoder or target is not
/// finite.
void check_model(const model::Model& model);

}  // namespace accrete::io
