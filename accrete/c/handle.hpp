#pragma once
// What the opaque handle of accrete.h holds. Nothing of it changes once it is made.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "accrete/c/accrete.h"
#include "accrete/c/scratch.hpp"
#include "accrete/model/model.hpp"

struct accrete_model {
  explicit accrete_model(accrete::model::Model loaded);
  accrete_model(const accrete_model&) = delete;
  accrete_model& operator=(const accrete_model&) = delete;

  const accrete::model::Model model;
  const accrete::c::Scratch scratch;
  const std::string description;                                                 ///< JSON
  std::vector<std::unordered_map<std::string_view, std::size_t>> level_of_text;  ///< per input; views into the model
};

namespace accrete::c {

/// What accrete_describe promises.
std::string describe(const model::Model& model);

}  // namespace accrete::c
