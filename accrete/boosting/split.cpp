#include "accrete/boosting/split.hpp"

#include <numeric>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/data/location.hpp"

namespace accrete::boosting {

std::vector<std::size_t> all_rows(std::size_t n) {
  std::vector<std::size_t> rows(n);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

std::vector<std::size_t> rows_to_fit(const data::Table& table, std::span<const double> weights,
                                     std::span<const std::size_t> listed) {
  auto list = listed.empty() ? all_rows(weights.size()) : std::vector(listed.begin(), listed.end());
  std::erase_if(list, [&](std::size_t r) { return !(weights[r] > 0.0); });
  if (list.empty())
    throw core::DataError(
        core::message("{}: all rows to train on have weight 0 in {}", table.source, core::parameter("weight_column")));
  return list;
}

void check_target_values(const TableTarget& target, std::span<const std::size_t> rows,
                         const config::ResolvedConfig& config) {
  const auto& [table, targets, names] = target;
  const bool counts = config.loss == loss::Poisson::name, probabilities = config.loss == loss::CrossEntropy::name;
  if (!counts && !probabilities) return;
  for (const std::size_t r : rows)
    for (std::size_t c = 0; c < targets.cols(); ++c)
      if (targets(r, c) < 0.0 || (probabilities && targets(r, c) > 1.0))
        throw core::DataError(core::message("{}: the target is {}; the {} loss needs {}",
                                            data::target_location(table, r, names[c]), targets(r, c), config.loss,
                                            counts ? "0 or above" : "0 to 1"));
}

data::Split split_rows(const TrainingTable& table, const FitOptions& options, PreparedFit& fit) {
  const auto rows = rows_to_fit(table.table(), table.weights, options.rows);
  check_target_values({table.table(), table.targets, fit.model.targets}, rows, fit.config);
  data::Split split{rows, {}};
  if (!options.validation && fit.config.validation_fraction > 0.0) {
    std::vector<double> labels;
    if (!fit.model.classes.empty())
      for (const std::size_t r : rows) labels.push_back(table.targets(r, 0));
    split = data::holdout(rows.size(), labels, fit.config.validation_fraction, fit.config.seed);
    data::map_to_rows(split, rows);
  }
  fit.training_rows = split.train.size();
  return split;
}

}  // namespace accrete::boosting
