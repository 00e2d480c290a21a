#include "accrete/deep/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

#include "accrete/boosting/read.hpp"
#include "accrete/boosting/split.hpp"
#include "accrete/boosting/target_scale.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/data/encoder/table_encoder.hpp"
#include "accrete/io/csv.hpp"

namespace accrete::deep {
namespace {

constexpr std::size_t rows_per_task = 4096;

bool is_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

io::CsvOptions csv_options(const DatasetSource& source) {
  io::CsvOptions options;
  options.delimiter = source.delimiter;
  options.header = !source.no_header;
  return options;
}

torch::Tensor rows_to_tensor(const data::Encoder& encoder, const data::Table& table, core::Workers& workers) {
  const std::size_t rows = table.rows(), width = encoder.inputs().size();
  const data::TableEncoder columns(encoder, table, data::RowSelection{nullptr, rows});
  auto inputs = torch::empty({static_cast<std::int64_t>(rows), static_cast<std::int64_t>(width)}, torch::kFloat32);
  float* const values = inputs.data_ptr<float>();
  workers.run((rows + rows_per_task - 1) / rows_per_task, [&](std::size_t task) {
    const std::size_t first = task * rows_per_task, last = std::min(rows, first + rows_per_task);
    bool finite = true;
    for (std::size_t c = 0; c < width; ++c)
      for (std::size_t r = first; r < last; ++r) {
        values[r * width + c] = columns.readers()[c].raw(r);
        finite = finite && !std::isinf(values[r * width + c]);
      }
    if (!finite) columns.refuse_infinite(first, last - first);
  });
  return inputs;
}

torch::Tensor targets_to_tensor(const core::Matrix<double>& values, bool classes) {
  const auto rows = static_cast<std::int64_t>(values.rows());
  auto targets = torch::empty({rows}, classes ? torch::kInt64 : torch::kFloat64);
  for (std::int64_t r = 0; r < rows; ++r) {
    const double value = values(static_cast<std::size_t>(r), 0);
    if (classes)
      targets.data_ptr<std::int64_t>()[r] = static_cast<std::int64_t>(value);
    else
      targets.data_ptr<double>()[r] = value;
  }
  return targets;
}

DatasetWithSignature read_table_training_set(const DatasetSource& source, core::Workers& workers) {
  io::CsvOptions options = csv_options(source);
  options.as_text = {source.target.empty() ? "-1" : source.target};
  options.as_text.insert(options.as_text.end(), source.categorical.begin(), source.categorical.end());
  const data::Table table = io::read_csv(source.path, options, workers);
  const std::size_t column[] = {table.require(options.as_text.front())};
  const auto columns = boosting::feature_columns(table, column, {});
  const auto rows = boosting::all_rows(table.rows());
  const auto weights = boosting::read_weights(table, "");
  const data::Target target = data::read_target(table, column, source.task);
  boosting::check_target_range(table, target, weights);

  DatasetWithSignature training_set;
  Signature& signature = training_set.signature;
  signature.task = target.task;
  signature.targets = target.names;
  signature.classes = target.classes;
  signature.inputs.encoder = data::Encoder::fit(table, columns, {rows}, {}, &workers);
  if (target.task == data::Task::regression) {
    config::ResolvedConfig config;
    config.loss = "squared";
    config.standardise_target = true;
    const auto scale = boosting::target_scale({target.values, weights}, rows, config);
    signature.shift = scale.shift[0];
    signature.scale = scale.scale[0];
  }
  training_set.dataset = {table.source, rows_to_tensor(signature.inputs.encoder, table, workers),
                          targets_to_tensor(target.values, !target.classes.empty())};
  return training_set;
}

TensorDataset read_table_dataset(const Signature& signature, const DatasetSource& source, core::Workers& workers) {
  if (source.task && *source.task != signature.task)
    throw core::UsageError(core::parameter("task", data::task_name(*source.task)),
                           fmt::format("the network was trained for {}", data::task_name(signature.task)));
  if (!source.categorical.empty())
    throw core::UsageError(core::parameter("categorical"),
                           "only allowed in training; the network records its categorical columns");
  io::CsvOptions options = csv_options(source);
  if (source.target.empty())
    options.as_text_if_present = signature.targets;
  else
    options.as_text = {source.target};
  for (const auto& input : signature.inputs.encoder.inputs())
    if (input.kind == data::Column::Kind::text) options.as_text_if_present.push_back(input.name);
  const data::Table table = io::read_csv(source.path, options, workers);
  TensorDataset dataset{table.source, rows_to_tensor(signature.inputs.encoder, table, workers), {}};
  const auto target = source.target.empty() ? table.find(signature.targets.at(0)) : table.require(source.target);
  if (!target) return dataset;
  const std::size_t column[] = {*target};
  dataset.targets = targets_to_tensor(data::read_target_as(table, column, signature.task, signature.classes),
                                      !signature.classes.empty());
  return dataset;
}

/// Treats labels as a one-column table, so that classes are sorted and matched as for tables.
data::Table label_table(const Images& images) {
  data::Column column;
  column.name = "label";
  column.kind = data::Column::Kind::text;
  column.codes = images.labels;
  column.levels = images.classes;
  return {images.source, {std::move(column)}};
}

/// The tensor takes ownership of the images' bytes without copying them.
torch::Tensor images_to_tensor(Images&& images) {
  const auto pixels = std::make_shared<std::vector<std::uint8_t>>(std::move(images.pixels));
  return torch::from_blob(
      pixels->data(), {images.count, images.channels, images.height, images.width}, [pixels](void*) {}, torch::kUInt8);
}

Images read_labelled_images(const DatasetSource& source, core::Workers& workers) {
  if (!source.target.empty() || source.task || !source.categorical.empty() || source.no_header || source.delimiter)
    throw core::UsageError(fmt::format(
        "{} is a folder of images; target, task, categorical, header and delimiter apply only to tables", source.path));
  return read_images(source.path, source.part, workers);
}

DatasetWithSignature read_image_training_set(const DatasetSource& source, core::Workers& workers) {
  Images images = read_labelled_images(source, workers);
  const std::size_t column[] = {0};
  const data::Target target = data::read_target(label_table(images), column, data::Task::multiclass);
  DatasetWithSignature training_set;
  Signature& signature = training_set.signature;
  signature.inputs.kind = Inputs::Kind::images;
  signature.inputs.channels = images.channels;
  signature.inputs.height = images.height;
  signature.inputs.width = images.width;
  signature.task = target.classes.size() == 2 ? data::Task::binary : data::Task::multiclass;
  signature.targets = target.names;
  signature.classes = target.classes;
  training_set.dataset = {images.source, images_to_tensor(std::move(images)), targets_to_tensor(target.values, true)};
  return training_set;
}

TensorDataset read_image_dataset(const Signature& signature, const DatasetSource& source, core::Workers& workers) {
  Images images = read_labelled_images(source, workers);
  const Inputs& expected = signature.inputs;
  const bool grey = images.channels == 1 && expected.channels == 3;
  if (images.height != expected.height || images.width != expected.width ||
      (images.channels != expected.channels && !grey))
    throw core::DataError(fmt::format("{}: images of {} x {} with {} channels; the network expects {} x {} with {}",
                                      images.source, images.height, images.width, images.channels, expected.height,
                                      expected.width, expected.channels));
  const std::size_t column[] = {0};
  const auto values = data::read_target_as(label_table(images), column, data::Task::multiclass, signature.classes);
  TensorDataset dataset{images.source, images_to_tensor(std::move(images)), targets_to_tensor(values, true)};
  if (grey) dataset.inputs = dataset.inputs.expand({-1, 3, -1, -1}).contiguous();
  return dataset;
}

}  // namespace

DatasetWithSignature read_training_set(const DatasetSource& source, core::Workers& workers) {
  return is_folder(source.path) ? read_image_training_set(source, workers) : read_table_training_set(source, workers);
}

TensorDataset read_dataset(const Signature& signature, const DatasetSource& source, core::Workers& workers) {
  const bool images = signature.inputs.kind == Inputs::Kind::images;
  if (images != is_folder(source.path))
    throw core::DataError(fmt::format("{} {} a folder; the network expects {}", source.path, images ? "is not" : "is",
                                      images ? "a folder of images" : "a table"));
  return images ? read_image_dataset(signature, source, workers) : read_table_dataset(signature, source, workers);
}

}  // namespace accrete::deep
