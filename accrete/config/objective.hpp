#pragma once
// The objectives of a boosting step, by name. boosting/step.hpp has their functions.

#include "accrete/core/named_list.hpp"

namespace accrete::config {

struct ResidualObjective {
  static constexpr const char* name = "residual";
  static constexpr const char* summary = "squared error to the residuals, then a Newton step per output: the paper";
};

struct DirectObjective {
  static constexpr const char* name = "direct";
  static constexpr const char* summary = "the loss itself around the current scores: the default for classes";
};

struct ProjectedObjective {
  static constexpr const char* name = "projected";
  static constexpr const char* summary =
      "squared error with the output layer solved exactly: the default for regression";
};

using Objectives = core::NamedTypes<ResidualObjective, DirectObjective, ProjectedObjective>;

}  // namespace accrete::config
