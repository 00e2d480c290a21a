#include "accrete/model/staged.hpp"

#include "accrete/model/link.hpp"
#include "accrete/model/plain.hpp"

namespace accrete::model {
namespace {

core::TiledMatrix check_and_encode(const Model& model, const data::Table& table) {
  require_dial(model);
  check_link(model, model.network.outputs());
  check_features(model);
  return model.encoder.encode(table);
}

}  // namespace

StagedPrediction::StagedPrediction(const Model& model, const data::Table& table, core::Workers& workers)
    : model_(model),
      features_(check_and_encode(model, table)),
      forward_(model.network, features_, workers),
      predictions_(features_.rows(), predictions_per_row(model)) {
  link();
}

bool StagedPrediction::next() {
  if (!forward_.next()) return false;
  link();
  return true;
}

void StagedPrediction::link() {
  const auto scores = forward_.scores();
  for (std::size_t r = 0; r < scores.rows; ++r) link_row(model_, scores.row(r), predictions_.row(r));
}

void predict_staged(const Model& model, const data::Table& table, core::Workers& workers,
                    const std::function<void(std::size_t, core::MatrixView<const double>)>& visit) {
  StagedPrediction staged(model, table, workers);
  do visit(staged.steps(), staged.predictions());
  while (staged.next());
}

}  // namespace accrete::model
