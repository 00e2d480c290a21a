#include "accrete/deep/extract_features.hpp"

#include <fmt/format.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <algorithm>

#include "accrete/core/error.hpp"
#include "accrete/core/mapped.hpp"
#include "accrete/deep/error_cause.hpp"

namespace accrete::deep {
namespace {

/// The inputs or features of a batch of examples that starts at `first`.
struct FeatureBatch {
  torch::Tensor values;
  std::int64_t first;
};

torch::Tensor run_batch(torch::jit::Module& frozen, const torch::Tensor& inputs, const std::string& source) {
  try {
    return frozen.forward({inputs}).toTensor().to(torch::kCPU, torch::kFloat32);
  } catch (const std::exception& error) {
    throw core::DataError(fmt::format("{}: the network rejects these examples: {}", source, error_cause(error)));
  }
}

/// Throws unless the values are N x F for N examples.
void check_shape(const torch::Tensor& values, std::int64_t examples) {
  if (values.dim() == 2 && values.size(0) == examples && values.size(1) > 0) return;
  std::string shape;
  for (std::int64_t d = 0; d < values.dim(); ++d) shape += fmt::format("{}{}", d > 0 ? " x " : "", values.size(d));
  throw core::DataError(
      fmt::format("features must be rows of numbers (rank 2); the output for {} examples is {} (rank {}): cut the "
                  "network at a later module, after its flattening",
                  examples, shape.empty() ? "one number" : shape, values.dim()));
}

void check_finite(const FeatureBatch& batch, const std::string& source) {
  const torch::Tensor wrong = torch::isfinite(batch.values).logical_not().nonzero();
  if (wrong.size(0) == 0) return;
  throw core::DataError(fmt::format("{}: example {}: feature f{} is not finite", source,
                                    batch.first + wrong[0][0].item<std::int64_t>() + 1,
                                    wrong[0][1].item<std::int64_t>()));
}

FeatureBatch stored_or_computed(torch::jit::Module& module, const FeatureBatch& inputs, const std::string& source,
                                const ExtractOptions& options) {
  if (options.file)
    if (auto stored = options.file->read_next(inputs.values)) return {*std::move(stored), inputs.first};
  FeatureBatch batch{run_batch(module, inputs.values.to(options.device), source), inputs.first};
  check_shape(batch.values, inputs.values.size(0));
  check_finite(batch, source);
  if (options.file) options.file->append(inputs.values, batch.values);
  return batch;
}

void add_columns(data::Table& table, std::int64_t features, std::int64_t examples) {
  const auto rows = static_cast<std::size_t>(examples);
  const bool large = rows * static_cast<std::size_t>(features) * sizeof(float) > core::free_memory();
  for (std::int64_t f = 0; f < features; ++f) {
    data::Column column;
    column.name = fmt::format("f{}", f);
    column.numbers = large ? core::mapped_column(rows) : core::FloatColumn(rows);
    table.columns.push_back(std::move(column));
  }
}

void store_batch(data::Table& table, const FeatureBatch& batch) {
  const torch::Tensor columns = batch.values.t().contiguous();
  const auto count = static_cast<std::size_t>(columns.size(1));
  const float* from = columns.data_ptr<float>();
  for (data::Column& column : table.columns) {
    std::copy_n(from, count, column.numbers.begin() + batch.first);
    from += count;
  }
}

}  // namespace

std::optional<data::Table> extract_features(const torch::jit::Module& frozen, const TensorDataset& dataset,
                                            const ExtractOptions& options) {
  torch::NoGradGuard no_gradients;
  torch::jit::GraphOptimizerEnabledGuard no_optimiser(false);  // compiling for each shape costs more than it saves
  torch::jit::Module module = frozen;
  if (options.device != torch::kCPU) {
    module = frozen.deepcopy();  // moving a module moves all that share its parameters
    module.to(options.device);
  }
  data::Table table{dataset.source, {}};
  const std::int64_t total = dataset.size();
  for (std::int64_t first = 0; first < total; first += options.batch_size) {
    const std::int64_t end = std::min(total, first + options.batch_size);
    const torch::Tensor inputs = dataset.inputs.slice(0, first, end);
    const FeatureBatch batch = stored_or_computed(module, {inputs, first}, dataset.source, options);
    if (first == 0) add_columns(table, batch.values.size(1), total);
    if (static_cast<std::size_t>(batch.values.size(1)) != table.columns.size())
      throw core::DataError(
          fmt::format("example {}: {} features; earlier examples have {}, and all must have the same number", first + 1,
                      batch.values.size(1), table.columns.size()));
    store_batch(table, batch);
    if (options.observer && !options.observer(end, total)) return std::nullopt;
  }
  if (options.file) options.file->finish();
  return table;
}

void add_target(data::Table& table, const TensorDataset& dataset, const Signature& signature) {
  if (!dataset.targets.defined()) return;
  data::Column column;
  column.name = signature.targets.empty() ? "target" : signature.targets.front();
  while (table.find(column.name)) column.name += "_";
  const auto count = static_cast<std::size_t>(dataset.size());
  if (signature.classes.empty()) {
    const torch::Tensor values = dataset.targets.to(torch::kFloat64).contiguous();
    column.exact.assign(values.data_ptr<double>(), values.data_ptr<double>() + count);
    column.numbers.assign(column.exact.begin(), column.exact.end());
  } else {
    const torch::Tensor classes = dataset.targets.to(torch::kInt32).contiguous();
    column.kind = data::Column::Kind::text;
    column.codes.assign(classes.data_ptr<std::int32_t>(), classes.data_ptr<std::int32_t>() + count);
    column.levels = signature.classes;
  }
  table.columns.push_back(std::move(column));
}

}  // namespace accrete::deep
