// Prediction of selected rows of a table; encodes them into their own matrix first.

#include <algorithm>

#include "accrete/core/denormals.hpp"
#include "accrete/model/model.hpp"
#include "accrete/model/plain.hpp"
#include "accrete/model/staged_rows.hpp"
#include "accrete/network/forward.hpp"

namespace accrete::model {
namespace {

core::Matrix<double> plain_scores(const Model& model, const core::TiledMatrix& features) {
  const std::size_t t = features.tile_rows(), outputs = model.network.outputs();
  core::Matrix<double> scores(features.rows(), outputs);
  std::vector<double> tile(outputs * t);
  PlainScores score(model, t);
  for (std::size_t i = 0; i < features.tiles(); ++i) {
    const std::size_t count = std::min(t, features.rows() - i * t);
    score(features.tile(i), count, tile.data());
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t k = 0; k < outputs; ++k) scores(i * t + r, k) = tile[k * t + r];
  }
  return scores;
}

}  // namespace

core::Matrix<double> predict_rows(const Model& model, const data::Table& table, std::span<const std::size_t> rows,
                                  core::Workers& workers) {
  if (model.method != Method::boosting)
    return apply_link(model, plain_scores(model, model.encoder.encode(table, rows)));
  const StagedRows features(model.encoder, table, rows);
  return apply_link(model, network::forward(model.network, features.tiles(), model.network.steps(), workers));
}

}  // namespace accrete::model
