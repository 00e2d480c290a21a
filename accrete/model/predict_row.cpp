// Prediction of a single row without allocation.

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "accrete/core/error.hpp"
#include "accrete/model/link.hpp"
#include "accrete/model/plain.hpp"
#include "accrete/network/forward.hpp"
#include "accrete/network/kernels/table_kernel.hpp"

namespace accrete::model {
namespace {

constexpr std::size_t floats_per_code = sizeof(network::TableCode) / sizeof(float);
static_assert(alignof(network::TableCode) == alignof(float));

void score_with_tables(const Model& model, const network::PredictTables& tables, std::span<const float> raw,
                       std::size_t steps, std::span<float> workspace, std::span<double> scores) {
  auto* codes = new (workspace.data()) network::TableCode[tables.columns()];
  bool finite = true;
  for (std::size_t c = 0; c < tables.columns(); ++c)
    finite = tables.find(c, {.x = &raw[tables.input(c)], .count = 1, .stride = 1}, codes) && finite;
  if (!finite) model.encoder.refuse_infinite(raw);
  std::ranges::copy(model.network.bias_after(steps), scores.begin());
  network::add_table_units(tables, 0, model.network.units_after(steps),
                           {.codes = codes, .rows = 1, .scores = scores.data(), .stride = 1});
}

}  // namespace

void predict_row(const Model& model, std::span<const float> raw, std::size_t steps, std::span<float> workspace,
                 std::span<double> prediction) {
  require_grown(model, "predict_row");
  check_steps(model, steps);
  check_link(model, model.network.outputs());
  if (raw.size() != model.encoder.inputs().size() || workspace.size() < workspace_size(model) ||
      prediction.size() != predictions_per_row(model))
    throw core::UsageError(
        fmt::format("a row of {} inputs, {} predictions and a workspace of {}; the model has {}, {} "
                    "and needs {}",
                    raw.size(), prediction.size(), workspace.size(), model.encoder.inputs().size(),
                    predictions_per_row(model), workspace_size(model)));
  const std::span<double> scores = prediction.first(model.network.outputs());
  if (const network::PredictTables* tables = tables_of(model)) {
    score_with_tables(model, *tables, raw, steps, workspace, scores);
  } else {
    const std::span<float> features = workspace.first(model.encoder.features());
    model.encoder.encode_row(raw, features);
    network::forward_row(model.network, features, steps, scores);
  }
  link_row(model, scores, prediction);
}

std::size_t workspace_size(const Model& model) {
  if (const network::PredictTables* tables = tables_of(model)) return tables->columns() * floats_per_code;
  return model.encoder.features();
}

}  // namespace accrete::model
