#include "report/model/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "accrete/data/column_index.hpp"
#include "accrete/data/take_rows.hpp"
#include "accrete/network/forward.hpp"

namespace accrete::report {
namespace {

constexpr std::size_t max_shape_rows = 10'000, max_shape_points = 200;

/// True if every unit reads the features of at most one column.
bool is_additive(const model::Model& model) {
  const auto weights = model.network.hidden_weights();
  for (std::size_t j = 0; j < model.network.units(); ++j) {
    std::size_t read = 0;
    for (const data::ColumnEncoding& column : model.encoder.columns()) {
      const auto own = weights.subspan(j * model.network.features() + column.first(), column.width());
      read += std::ranges::any_of(own, [](float w) { return w != 0.0f; });
    }
    if (read > 1) return false;
  }
  return true;
}

/// Evenly spaced indices out of 0 .. size - 1, with both ends.
std::vector<std::size_t> spaced(std::size_t size, std::size_t max_count) {
  std::vector<std::size_t> indices;
  const std::size_t count = std::min(size, max_count);
  for (std::size_t i = 0; i < count; ++i) indices.push_back(count > 1 ? i * (size - 1) / (count - 1) : 0);
  return indices;
}

/// Evaluates an additive model with one column varied and the others as in the first row.
class VariedColumn {
 public:
  VariedColumn(const LabelledRows& data, std::size_t input, core::Workers& workers)
      : data_(data), input_(input), workers_(workers) {}

  /// The scores if the input has these values.
  std::vector<double> scores(const data::Column& values) const {
    data::Table table{data_.table.source, {}};
    const data::ColumnIndex index(data_.table);
    for (const data::Input& input : data_.model.encoder.inputs()) {
      const data::Column& from = data_.table.columns[index.find(input.name).value()];
      data::Column column{.name = from.name, .kind = from.kind, .levels = from.levels};
      if (from.kind == data::Column::Kind::numeric)
        for (std::size_t r = 0; r < values.size(); ++r) column.numbers.push_back(from.numbers[0]);
      else
        column.codes.assign(values.size(), from.codes[0]);
      table.columns.push_back(std::move(column));
    }
    table.columns[input_] = values;
    const model::Model& model = data_.model;
    const auto all = network::forward(model.network, model.encoder.encode(table), model.network.steps(), workers_);
    const double scale = model.target_scale.empty() ? 1.0 : model.target_scale[0];
    std::vector<double> scores(all.flat().begin(), all.flat().end());
    for (double& score : scores) score *= scale;
    return scores;
  }

 private:
  const LabelledRows& data_;
  std::size_t input_;
  core::Workers& workers_;
};

/// The distinct numbers, ascending and thinned out, or the model's levels. Also sets the shape's x or levels.
data::Column points_of(const data::Column& values, const data::Input& input, ColumnShape& shape) {
  data::Column points{.name = values.name, .kind = values.kind, .levels = input.levels};
  if (values.kind == data::Column::Kind::text) {
    shape.levels = input.levels;
    for (std::size_t l = 0; l < input.levels.size(); ++l) points.codes.push_back(static_cast<std::int32_t>(l));
    return points;
  }
  std::vector<float> sorted;
  std::ranges::copy_if(values.numbers, std::back_inserter(sorted), [](float x) { return !std::isnan(x); });
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (const std::size_t i : spaced(sorted.size(), max_shape_points)) {
    points.numbers.push_back(sorted[i]);
    shape.x.push_back(static_cast<double>(sorted[i]));
  }
  return points;
}

}  // namespace

std::vector<ColumnShape> column_shapes(const LabelledRows& data, core::Workers& workers) {
  std::vector<ColumnShape> shapes;
  const model::Model& model = data.model;
  if (model.network.steps() == 0 || model.network.outputs() != 1 || !is_additive(model)) return shapes;
  const auto rows = spaced(data.table.rows(), max_shape_rows);
  const data::ColumnIndex index(data.table);
  const auto& inputs = model.encoder.inputs();
  for (std::size_t c = 0; c < inputs.size() && !rows.empty(); ++c) {
    const data::Column values = data::take_rows(data.table.columns[index.find(inputs[c].name).value()], rows);
    const VariedColumn varied(data, c, workers);
    ColumnShape shape{.column = inputs[c].name};
    const data::Column points = points_of(values, inputs[c], shape);
    if (points.size() < 2) continue;
    double weight = 0.0, sum = 0.0, squares = 0.0;
    const std::vector<double> at_rows = varied.scores(values);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double w = data.weights.empty() ? 1.0 : data.weights[rows[i]], change = at_rows[i] - at_rows[0];
      weight += w, sum += w * change, squares += w * change * change;
    }
    const double mean = sum / weight;
    shape.deviation = std::sqrt(std::max(0.0, squares / weight - mean * mean));
    shape.effect = varied.scores(points);
    for (double& effect : shape.effect) effect -= at_rows[0] + mean;
    shapes.push_back(std::move(shape));
  }
  std::ranges::stable_sort(shapes, [](const auto& a, const auto& b) { return a.deviation > b.deviation; });
  return shapes;
}

}  // namespace accrete::report
