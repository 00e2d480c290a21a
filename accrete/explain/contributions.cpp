#include "accrete/explain/contributions.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "accrete/core/tiled.hpp"
#include "accrete/explain/dense_kernel.hpp"
#include "accrete/explain/table_kernel.hpp"
#include "accrete/model/link.hpp"
#include "accrete/model/plain.hpp"
#include "accrete/model/tiles.hpp"

namespace accrete::explain {
namespace {

using model::RowRange;

/// The factor from the network's scores to those of an output.
double scale_of(const model::Model& model, std::size_t output) {
  return model.loss.link() == loss::Link::identity ? model.target_scale[model.target_of(output)] : 1.0;
}

/// The scores of the row whose features are all 0.
std::vector<double> baseline_of(const model::Model& model, std::size_t steps) {
  const network::Network& network = model.network;
  const std::size_t outputs = network.outputs();
  std::vector<double> scores(network.bias_after(steps).begin(), network.bias_after(steps).end());
  for (std::size_t u = 0; u < network.units_after(steps); ++u) {
    const double z = network.hidden_bias()[u];
    const double a = activation::All::visit(network.activation().index, [&](auto f) { return f.value(z); });
    for (std::size_t k = 0; k < outputs; ++k)
      scores[k] += static_cast<double>(network.output_weights()[u * outputs + k]) * a;
  }
  if (model.loss.link() == loss::Link::identity)
    for (std::size_t k = 0; k < outputs; ++k) {
      const std::size_t target = model.target_of(k);
      scores[k] = model.target_shift[target] + model.target_scale[target] * scores[k];
    }
  return scores;
}

/// The table columns that a model reads, and the column of each input.
struct Columns {
  explicit Columns(const data::Encoder& encoder) {
    for (const data::Input& input : encoder.inputs()) {
      const std::string& name = input.format.is_date() ? input.format.column : input.name;
      const auto at = std::ranges::find(names, name);
      of_input.push_back(static_cast<std::size_t>(at - names.begin()));
      if (at == names.end()) names.push_back(name);
    }
  }
  std::vector<std::string> names;
  std::vector<std::size_t> of_input;
};

/// State shared by all tiles of a batch.
template <class Source>
struct Batch {
  const model::Model& model;
  const Source& source;
  std::size_t units;
  const std::vector<std::size_t>& column_of_input;
  core::Workers& workers;
};

/// Fills result tile by tile. Returns the rows of the first tile with an infinite value, if any.
template <class Source>
std::optional<RowRange> explain_dense(const Batch<Source>& batch, Contributions& result) {
  const DenseWeights weights(batch.model.encoder, batch.model.network, batch.units);
  const std::size_t t = core::TiledMatrix::tile_rows_for(batch.model.network.features());
  const std::size_t stride = result.columns * result.outputs;
  const auto explain_range = [&](RowRange range, DenseTile& tile) {
    if (!batch.source.encode(range, tile.features(), t)) return false;
    tile.compute();
    for (std::size_t k = 0; k < result.outputs; ++k) {
      const double scale = scale_of(batch.model, k);
      for (std::size_t i = 0; i < weights.columns(); ++i) {
        const double* from = tile.values(i, k);
        double* to = &result.values[range.first * stride + batch.column_of_input[i] * result.outputs + k];
        for (std::size_t r = 0; r < range.count; ++r) to[r * stride] += scale * from[r];
      }
    }
    return true;
  };
  const auto make_tile = [&] { return DenseTile(weights, t); };
  return model::run_tiles({batch.source.rows(), t, 8}, batch.workers, make_tile, explain_range);
}

/// The same with lookup tables.
template <class Source>
std::optional<RowRange> explain_tables(const network::PredictTables& tables, const Batch<Source>& batch,
                                       Contributions& result) {
  const std::size_t t = TableTile::tile_rows_for(tables);
  const auto explain_range = [&](RowRange range, TableTile& tile) {
    if (!batch.source.find_codes(tables, range, tile.codes(), tile.raw())) return false;
    tile.compute(range.count, batch.units);
    for (std::size_t r = 0; r < range.count; ++r)
      for (std::size_t k = 0; k < result.outputs; ++k) {
        const double scale = scale_of(batch.model, k);
        const double* from = tile.values(r, k);
        double* to = &result.values[(range.first + r) * result.columns * result.outputs + k];
        for (std::size_t c = 0; c < tables.columns(); ++c)
          to[batch.column_of_input[tables.input(c)] * result.outputs] += scale * from[c];
      }
    return true;
  };
  const auto make_tile = [&] { return TableTile(tables, t); };
  return model::run_tiles({batch.source.rows(), t, 4}, batch.workers, make_tile, explain_range);
}

template <class Source>
Contributions explain_all(const model::Model& model, const Source& source, std::size_t steps, core::Workers& workers) {
  check_steps(model, steps);
  check_link(model, model.network.outputs());
  check_features(model);
  Columns columns(model.encoder);
  Contributions result{.rows = source.rows(),
                       .columns = columns.names.size(),
                       .outputs = model.network.outputs(),
                       .column_names = std::move(columns.names),
                       .values = {},
                       .baseline = baseline_of(model, steps)};
  result.values.resize(result.rows * result.columns * result.outputs);
  const Batch<Source> batch{.model = model,
                            .source = source,
                            .units = model.network.units_after(steps),
                            .column_of_input = columns.of_input,
                            .workers = workers};
  const network::PredictTables* tables = tables_of(model);
  const auto infinite = tables ? explain_tables(*tables, batch, result) : explain_dense(batch, result);
  if (infinite) source.refuse_infinite(*infinite);
  return result;
}

}  // namespace

double Contributions::score(std::size_t row, std::size_t output) const {
  double sum = baseline[output];
  for (std::size_t c = 0; c < columns; ++c) sum += (*this)(row, c, output);
  return sum;
}

Contributions contributions(const model::Model& model, const data::Table& table, std::size_t steps,
                            core::Workers& workers) {
  model::require_grown(model, "contributions");
  return explain_all(model, model::TableSource(model.encoder, table), steps, workers);
}

Contributions contributions(const model::Model& model, core::MatrixView<const float> raw, std::size_t steps,
                            core::Workers& workers) {
  model::require_grown(model, "contributions");
  model::check_width(model, raw.cols);
  return explain_all(model, model::MatrixSource(model.encoder, raw), steps, workers);
}

std::vector<std::string> output_names(const model::Model& model) {
  if (model.classes.empty()) return model.prediction_names();
  if (model.network.outputs() == 1) return {model.classes.back()};
  return model.classes;
}

}  // namespace accrete::explain
