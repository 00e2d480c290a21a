#pragma once
#include "accrete/model/model.hpp"
namespace accrete::model {
class StagedPrediction {
 public:
  StagedPrediction(const Model&, const data::Table&, core::Workers&) {}
  bool next() { return false; }
  core::MatrixView<const double> predictions() const { return {}; }
};
}
