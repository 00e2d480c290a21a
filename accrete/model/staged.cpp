#include "accrete/model/staged.hpp"

#include <limits>
#include <utility>

#include "accrete/model/link.hpp"
#include "accrete/model/plain.hpp"

namespace accrete::model {
namespace {

StagedRows check_and_encode(const Model& model, const data::Table& table, std::size_t max_bytes) {
  require_dial(model);
  check_link(model, model.network.outputs());
  check_features(model);
  return {model.encoder, table, max_bytes};
}

}  // namespace

StagedPrediction::StagedPrediction(const Model& model, const data::Table& table, core::Workers& workers)
    : StagedPrediction(model, check_and_encode(model, table, std::numeric_limits<std::size_t>::max()), workers) {}

StagedPrediction::StagedPrediction(const Model& model, StagedRows rows, core::Workers& workers)
    : model_(model),
      rows_(std::move(rows)),
      forward_(model.network, rows_.tiles(), workers),
      predictions_(forward_.scores().rows, predictions_per_row(model)) {
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
  StagedPrediction staged(model, check_and_encode(model, table, StagedRows::default_max_bytes), workers);
  do visit(staged.steps(), staged.predictions());
  while (staged.next());
}

}  // namespace accrete::model
