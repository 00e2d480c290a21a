#include "accrete/boosting/calibrate.hpp"

#include <algorithm>
#include <cmath>

#include "accrete/comm/values.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"

namespace accrete::boosting {

std::size_t min_calibration_rows(double coverage) {
  return static_cast<std::size_t>(std::ceil(coverage / (1.0 - coverage) - 1e-9));
}

double conformal_score(const model::Model& model, std::span<const double> prediction, double target) {
  if (!model.classes.empty()) return 1.0 - prediction[static_cast<std::size_t>(target)];
  return std::max(prediction.front() - target, target - prediction.back());
}

double conformal_quantile(std::vector<double> scores, double coverage) {
  const auto n = static_cast<double>(scores.size());
  const auto rank = static_cast<std::size_t>(std::ceil((n + 1.0) * coverage - 1e-9));
  if (rank > scores.size() || rank == 0)
    throw core::DataError(core::message("{} needs at least {} rows to calibrate on, not {}",
                                        core::parameter("interval", coverage), min_calibration_rows(coverage),
                                        scores.size()));
  const auto at = scores.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::ranges::nth_element(scores, at);
  return *at;
}

model::Calibration calibrate(const model::Model& model, const data::Table& table,
                             core::MatrixView<const double> targets, double coverage, core::Workers& workers,
                             comm::Communicator& comm) {
  if (model.classes.empty() && model.loss.quantiles().size() < 2)
    throw core::UsageError(core::message("{} needs classes, or a network that predicts at least two quantiles",
                                         core::parameter("interval", coverage)));
  model::Calibration result{.coverage = coverage, .rows = comm::sum(comm, targets.rows), .corrections = {}};
  const auto calibrate_prefix = [&](std::span<const double> scores) {
    result.corrections.push_back(conformal_quantile(comm::gather_values(comm, scores).values, coverage));
  };
  std::vector<double> scores(targets.rows);
  if (scores.empty())  // a rank without held-out rows
    for (std::size_t step = 0; step <= model.network.steps(); ++step) calibrate_prefix(scores);
  else
    model::predict_staged(model, table, workers, [&](std::size_t, core::MatrixView<const double> predictions) {
      for (std::size_t r = 0; r < scores.size(); ++r)
        scores[r] = conformal_score(model, predictions.row(r), targets(r, 0));
      calibrate_prefix(scores);
    });
  return result;
}

}  // namespace accrete::boosting
