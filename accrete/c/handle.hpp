#pragma once
// The opaque handle of accrete.h. Immutable after construction.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "accrete/c/accrete.h"
#include "accrete/c/row_workspace.hpp"
#include "accrete/model/model.hpp"

struct accrete_model {
  explicit accrete_model(accrete::model::Model loaded);
  accrete_model(const accrete_model&) = delete;
  accrete_model& operator=(const accrete_model&) = delete;

  const accrete::model::Model model;
  const accrete::c::RowWorkspace workspace;
  const std::string description;                                                 ///< JSON
  std::vector<std::unordered_map<std::string_view, std::size_t>> level_of_text;  ///< per input; views into the model
};

namespace accrete::c {

/// The JSON of accrete_describe.
std::string describe(const model::Model& model);

}  // namespace accrete::c
