#include "accrete/deep/extract.hpp"

#include <fmt/format.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <algorithm>

#include "accrete/core/error.hpp"
#include "accrete/core/mapped.hpp"
#include "accrete/deep/reason.hpp"

namespace accrete::deep {
namespace {

/// The features of a batch of examples that starts at `first`.
struct FeatureBatch {
  torch::Tensor values;
  std::int64_t first;
};

torch::Tensor features_of(torch::jit::Module& frozen, const torch::Tensor& inputs, const std::string& source) {
  try {
    return frozen.forward({inputs}).toTensor().to(torch::kCPU, torch::kFloat32);
  } catch (const std::exception& error) {
    throw core::DataError(fmt::format("{}: the network does not take these examples: {}", source, reason(error)));
  }
}

/// Throws unless the values are N x F for N examples.
void check_shape(const torch::Tensor& values, std::int64_t examples) {
  if (values.dim() == 2 && values.size(0) == examples && values.size(1) > 0) return;
  std::string shape;
  for (std::int64_t d = 0; d < values.dim(); ++d) shape += fmt::format("{}{}", d > 0 ? " x " : "", values.size(d));
  throw core::DataError(
      fmt::format("features must be rows of numbers (rank 2); the output for {} examples is {} (rank {}): cut the "
                  "network at a later "
                  "module, one behind its flattening",
                  examples, shape.empty() ? "one number" : shape, values.dim()));
}

void check_finite(const FeatureBatch& batch, const std::string& source) {
  const torch::Tensor wrong = torch::isfinite(batch.values).logical_not().nonzero();
  if (wrong.size(0) == 0) return;
  throw core::DataError(fmt::format("{}: example {}: feature f{} is not finite; the network cannot be used on it",
                                    source, batch.first + wrong[0][0].item<std::int64_t>() + 1,
                                    wrong[0][1].item<std::int64_t>()));
}

void make_columns(data::Table& table, std::int64_t features, std::int64_t examples) {
  const auto rows = static_cast<std::size_t>(examples);
  const bool large = rows * static_cast<std::size_t>(features) * sizeof(float) > core::free_memory();
  for (std::int64_t f = 0; f < features; ++f) {
    data::Column column;
    column.name = fmt::format("f{}", f);
    column.numbers = large ? core::mapped_column(rows) : core::FloatColumn(rows);
    table.columns.push_back(std::move(column));
  }
}

void put(data::Table& table, const FeatureBatch& batch) {
  const torch::Tensor columns = batch.values.t().contiguous();
  const auto count = static_cast<std::size_t>(columns.size(1));
  const float* from = columns.data_ptr<float>();
  for (data::Column& column : table.columns) {
    std::copy_n(from, count, column.numbers.begin() + batch.first);
    from += count;
  }
}

}  // namespace

std::optional<data::Table> extract(const torch::jit::Module& frozen, const Examples& examples, const Extraction& how) {
  torch::NoGradGuard no_gradients;
  torch::jit::GraphOptimizerEnabledGuard as_written(false);  // compiling for each shape costs more than it saves
  torch::jit::Module module = frozen;
  if (how.device != torch::kCPU) {
    module = frozen.deepcopy();  // moving a module moves all that share its parameters
    module.to(how.device);
  }
  data::Table table{examples.source, {}};
  const std::int64_t all = examples.size();
  for (std::int64_t first = 0; first < all; first += how.batch) {
    const std::int64_t end = std::min(all, first + how.batch);
    const FeatureBatch batch{features_of(module, examples.inputs.slice(0, first, end).to(how.device), examples.source),
                             first};
    check_shape(batch.values, end - first);
    check_finite(batch, examples.source);
    if (first == 0) make_columns(table, batch.values.size(1), all);
    if (static_cast<std::size_t>(batch.values.size(1)) != table.columns.size())
      throw core::DataError(fmt::format("example {}: {} features; those before it have {}", first + 1,
                                        batch.values.size(1), table.columns.size()));
    put(table, batch);
    if (how.see && !how.see(end, all)) return std::nullopt;
  }
  return table;
}

void add_target(data::Table& table, const Examples& examples, const Purpose& purpose) {
  if (!examples.targets.defined()) return;
  data::Column column;
  column.name = purpose.targets.empty() ? "target" : purpose.targets.front();
  while (table.find(column.name)) column.name += "_";
  const auto count = static_cast<std::size_t>(examples.size());
  if (purpose.classes.empty()) {
    const torch::Tensor values = examples.targets.to(torch::kFloat64).contiguous();
    column.exact.assign(values.data_ptr<double>(), values.data_ptr<double>() + count);
    column.numbers.assign(column.exact.begin(), column.exact.end());
  } else {
    const torch::Tensor classes = examples.targets.to(torch::kInt32).contiguous();
    column.kind = data::Column::Kind::text;
    column.codes.assign(classes.data_ptr<std::int32_t>(), classes.data_ptr<std::int32_t>() + count);
    column.levels = purpose.classes;
  }
  table.columns.push_back(std::move(column));
}

}  // namespace accrete::deep
