#include "accrete/model/offsets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/model/link.hpp"

namespace accrete::model {

void add_offsets(const Model& model, std::span<const double> offsets, core::MatrixView<double> predictions) {
  if (model.network.outputs() != 1)
    throw core::UsageError(
        core::parameter("offset_column"),
        core::message("needs a network with one output; this network has {}", model.network.outputs()));
  if (offsets.size() != predictions.rows)
    throw core::UsageError(fmt::format("{} offsets for {} rows", offsets.size(), predictions.rows));
  const loss::Link link = model.loss.link();
  for (std::size_t r = 0; r < predictions.rows; ++r) {
    const std::span<double> row = predictions.row(r);
    if (link == loss::Link::identity) {
      row[0] += offsets[r];
    } else if (link == loss::Link::exponential) {
      row[0] = std::min(row[0] * std::exp(offsets[r]), std::numeric_limits<double>::max());
    } else if (link == loss::Link::probability) {
      const double logit = std::clamp(std::log(row[0]) - std::log1p(-row[0]), -745.0, 745.0) + offsets[r];
      link_row(model, std::span(&logit, 1), row);
    } else {
      // exp(-745) is the smallest positive double.
      const double logit = std::clamp(std::log(row[1]) - std::log(row[0]), -745.0, 745.0) + offsets[r];
      link_row(model, std::span(&logit, 1), row);
    }
  }
}

core::Matrix<double> offset_scores(const Model& model, std::span<const double> offsets,
                                   core::MatrixView<const double> scores) {
  core::Matrix<double> result(scores.rows, scores.cols);
  std::ranges::copy(scores.flat(), result.flat().begin());
  const double scale = model.target_scale.empty() ? 1.0 : model.target_scale.front();
  for (std::size_t r = 0; r < offsets.size(); ++r) result(r, 0) += offsets[r] / scale;
  return result;
}

}  // namespace accrete::model
