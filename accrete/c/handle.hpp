#pragma once
// The opaque handle of accrete.h. Immutable after construction.

#include <string>
#include <vector>

#include "accrete/c/accrete.h"
#include "accrete/c/row_workspace.hpp"
#include "accrete/data/encoder/known_levels.hpp"
#include "accrete/model/model.hpp"

struct accrete_model {
  explicit accrete_model(accrete::model::Model loaded);
  accrete_model(const accrete_model&) = delete;
  accrete_model& operator=(const accrete_model&) = delete;

  const accrete::model::Model model;
  const accrete::c::RowWorkspace workspace;
  const std::string description;                         ///< JSON
  const std::vector<accrete::data::KnownLevels> levels;  ///< per input; views into the model
};

namespace accrete::c {

/// The JSON of accrete_describe.
std::string describe(const model::Model& model);

}  // namespace accrete::c
