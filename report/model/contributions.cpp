#include "report/model/contributions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "accrete/core/random.hpp"
#include "accrete/explain/contributions.hpp"
#include "report/charts/text.hpp"
#include "report/model/sampled_rows.hpp"

namespace accrete::report {
namespace {

using explain::Contributions;

constexpr std::size_t max_rows = 10'000, max_shown = 300;

std::string score_title(const model::Model& model, std::size_t output) {
  const std::string name = explain::output_names(model)[output];
  if (model.classes.size() == 2) return fmt::format("log odds of \u2018{}\u2019", name);
  if (!model.classes.empty()) return fmt::format("score of \u2018{}\u2019", name);
  const loss::Link link = model.loss.link();
  return fmt::format("{}{}",
                     link == loss::Link::exponential   ? "logarithm of "
                     : link == loss::Link::probability ? "log odds of "
                                                       : "",
                     name);
}

/// Mean absolute contributions, columns x outputs.
core::Matrix<double> mean_sizes(const Contributions& all, const std::vector<double>& weights) {
  core::Matrix<double> sums(all.columns, all.outputs);
  double total = 0.0;
  for (std::size_t r = 0; r < all.rows; ++r) {
    const double weight = weights.empty() ? 1.0 : weights[r];
    total += weight;
    for (std::size_t i = 0; i < all.row(r).size(); ++i) sums.flat()[i] += weight * std::abs(all.row(r)[i]);
  }
  for (double& sum : sums.flat()) sum /= std::max(total, std::numeric_limits<double>::min());
  return sums;
}

/// The output with the largest contributions.
std::size_t shown_output(const core::Matrix<double>& sizes) {
  std::vector<double> sums(sizes.cols(), 0.0);
  for (std::size_t c = 0; c < sizes.rows(); ++c)
    for (std::size_t k = 0; k < sizes.cols(); ++k) sums[k] += sizes(c, k);
  return static_cast<std::size_t>(std::ranges::max_element(sums) - sums.begin());
}

/// The column of the table, or null for a date, which the table has as several columns.
const data::Column* find_column(const data::Table& table, const std::string& name) {
  const auto at = std::ranges::find(table.columns, name, &data::Column::name);
  return at == table.columns.end() ? nullptr : &*at;
}

/// See ExplainedColumn::places. Equal values have equal places.
std::vector<double> places(const data::Column* column, std::size_t rows) {
  std::vector<double> result(rows, NAN);
  if (!column || column->kind != data::Column::Kind::numeric) return result;
  std::vector<float> sorted;
  for (std::size_t r = 0; r < rows; ++r)
    if (!std::isnan(column->numbers[r])) sorted.push_back(column->numbers[r]);
  std::ranges::sort(sorted);
  for (std::size_t r = 0; r < rows; ++r) {
    if (std::isnan(column->numbers[r])) continue;
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), column->numbers[r]);
    const auto below = static_cast<double>(first - sorted.begin() + (last - sorted.begin()) - 1);
    result[r] = sorted.size() > 1 ? below / (2.0 * static_cast<double>(sorted.size() - 1)) : 0.5;
  }
  return result;
}

std::string show_value(const data::Column* column, std::size_t row) {
  if (!column) return "";
  if (column->kind == data::Column::Kind::numeric)
    return std::isnan(column->numbers[row]) ? " missing"
                                            : " = " + show_number(static_cast<double>(column->numbers[row]));
  const auto code = column->codes[row];
  return code < 0 ? " missing" : " = " + column->levels[static_cast<std::size_t>(code)];
}

std::size_t farthest_row(const Contributions& all, std::size_t output) {
  std::size_t best = 0;
  const auto distance = [&](std::size_t r) { return std::abs(all.score(r, output) - all.baseline[output]); };
  for (std::size_t r = 1; r < all.rows; ++r)
    if (distance(r) > distance(best)) best = r;
  return best;
}

}  // namespace

ColumnContributions column_contributions(const LabelledRows& data, std::uint64_t seed, core::Workers& workers) {
  const std::size_t rows = std::min(data.table.rows(), max_rows), shown = std::min(rows, max_shown);
  const auto chosen = core::Rng(seed, 1, core::Purpose::rows).choose(data.table.rows(), rows);
  const SampledRows sample(data, chosen);
  const Contributions all = explain::contributions(data.model, sample.table, data.model.network.steps(), workers);
  const core::Matrix<double> sizes = mean_sizes(all, sample.weights);
  const std::size_t k = shown_output(sizes), example = farthest_row(all, k);

  ColumnContributions result{.score = score_title(data.model, k),
                             .scores = all.outputs,
                             .rows = rows,
                             .shown = shown,
                             .baseline = all.baseline[k],
                             .columns = {},
                             .example = {chosen[example] + 1, all.score(example, k), {}, {}}};
  std::vector<std::size_t> order(all.columns);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto mean_size = [&](std::size_t c) {
    return std::accumulate(sizes.row(c).begin(), sizes.row(c).end(), 0.0) / static_cast<double>(all.outputs);
  };
  std::ranges::stable_sort(order, std::ranges::greater{}, mean_size);
  // Evenly spaced among the sampled rows, which are in the order of the table.
  const auto shown_row = [&](std::size_t i) { return i * rows / shown; };
  for (const std::size_t c : order) {
    const data::Column* column = find_column(sample.table, all.column_names[c]);
    ExplainedColumn& explained =
        result.columns.emplace_back(ExplainedColumn{all.column_names[c], mean_size(c), {}, {}});
    const std::vector<double> all_places = places(column, rows);
    for (std::size_t i = 0; i < shown; ++i) {
      explained.contributions.push_back(all(shown_row(i), c, k));
      explained.places.push_back(all_places[shown_row(i)]);
    }
    result.example.values.push_back(show_value(column, example));
    result.example.contributions.push_back(all(example, c, k));
  }
  return result;
}

}  // namespace accrete::report
