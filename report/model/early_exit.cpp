#include "report/model/early_exit.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "accrete/data/encoder/encode_sparse.hpp"
#include "accrete/model/predict_exit.hpp"

namespace accrete::report {
namespace {

constexpr int runs = 3;

/// Seconds of the fastest run.
template <class Run>
double best_time(const Run& run) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

double disagreement(const model::Model& model, const core::Matrix<double>& early, const core::Matrix<double>& full) {
  double differ = 0.0;
  for (std::size_t r = 0; r < full.rows(); ++r) {
    const bool other = model.classes.empty()
                           ? model::movement(early.row(r), full.row(r), model.early_exit.tolerances) > 1.0
                           : model::best_class(early.row(r)) != model::best_class(full.row(r));
    differ += other ? 1.0 / static_cast<double>(full.rows()) : 0.0;
  }
  return differ;
}

}  // namespace

std::vector<ExitTradeOff> measure_exits(const LabelledRows& data, core::Workers& workers) {
  model::Model model = data.model;
  if (!(model.early_exit.disagreement > 0.0) || data::is_all_sparse(model.encoder, data.table)) return {};
  const auto stored = model.early_exit.exits;
  core::Matrix<double> full;
  const double seconds = best_time([&] { full = model::predict(model, data.table, model.network.steps(), workers); });
  std::vector<ExitTradeOff> result{{0.0, static_cast<double>(model.network.units()), seconds, 0.0}};
  for (const double factor : {4.0, 2.0, 1.4, 1.0, 0.7, 0.5, 0.25}) {
    for (std::size_t e = 0; e < stored.size(); ++e) {
      // A stricter margin is larger, a stricter movement smaller.
      const double threshold = stored[e].threshold;
      model.early_exit.exits[e].threshold = !model.classes.empty() ? threshold * factor
                                            : threshold < 0.0      ? threshold
                                                                   : threshold / factor;
    }
    model::ExitPredictions early;
    const double time = best_time([&] { early = model::predict_exit(model, data.table, workers); });
    result.push_back({factor, early.mean_units(), time, disagreement(model, early.values, full)});
  }
  return result;
}

}  // namespace accrete::report
