// accrete deep train, boost, evaluate, features: deep networks and boosted heads on them.

#include "cli/deep/deep.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/core/parallel.hpp"
#include "cli/commands.hpp"
#include "cli/support/options.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {
namespace {

constexpr Command parts[] = {
    {"train", "Train a deep network from scratch",
     "accrete deep train mnist/ --arch cnn --epochs 20 -o cnn.pt\n"
     "  accrete deep train covertype.csv --target target --arch dense:100,100,100 --solver sgd -o backbone.pt",
     add_deep_train},
    {"boost", "Boost a new head on a frozen backbone, and join the two",
     "accrete deep boost cnn.pt mnist/ --units 500 --units-per-step 10 --learning-rate 0.1 --subsample 0.25 "
     "--solver adam -o joined.pt",
     add_deep_boost},
    {"evaluate", "Measure a network at any number of head units",
     "accrete deep evaluate joined.pt mnist/ --units 100,250,500", add_deep_evaluate},
    {"features", "Write the features of a frozen backbone as CSV",
     "accrete deep features backbone.pt data.csv -o features.csv", add_deep_features},
};

char delimiter_of(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() > 1) throw core::UsageError(fmt::format("--delimiter {}: must be one character, or tab", text));
  return text.empty() ? '\0' : text[0];
}

deep::ImageSubset part_named(const std::string& name) {
  if (name == "train") return deep::ImageSubset::train;
  if (name == "test") return deep::ImageSubset::test;
  if (name == "every") return deep::ImageSubset::every;
  throw core::UsageError(fmt::format("--part {}: must be train, test or every", name));
}

bool is_table(const std::string& path) {
  std::error_code error;
  const auto kind = std::filesystem::status(path, error);
  return std::filesystem::exists(kind) && !std::filesystem::is_directory(kind);
}

}  // namespace

deep::DatasetSource DatasetFlags::source() const {
  deep::DatasetSource source;
  source.path = path;
  source.part = part_named(given_part.empty() ? part : given_part);
  if (!given_part.empty() && is_table(path))
    throw core::UsageError(fmt::format("--part {}: applies to images only, and {} is a table", given_part, path));
  source.target = target;
  if (!task.empty()) source.task = data::task_named(task);
  source.categorical = categorical;
  source.no_header = no_header;
  source.delimiter = delimiter_of(delimiter);
  return source;
}

void add_dataset_flags(CLI::App& app, DatasetFlags& flags) {
  app.add_option("data", flags.path,
                 "CSV file, or image folder: MNIST idx files, CIFAR batches, or one PNG folder per class")
      ->required()
      ->type_name("DATA")
      ->check(not_empty);
  app.add_flag("--no-header", flags.no_header, "tables: the first line is data; columns become c0, c1, ...");
  app.add_option("--delimiter", flags.delimiter, "tables: one character, or tab (default: detected)")
      ->type_name("CHAR")
      ->check(not_empty);
}

void add_part_flag(CLI::App& app, DatasetFlags& flags, const std::string& what) {
  app.add_option("--part", flags.given_part,
                 fmt::format("images to {}: train, test or every (default: {})", what, flags.part))
      ->type_name("NAME")
      ->check(not_empty);
}

void add_dataset_target_flags(CLI::App& app, DatasetFlags& flags) {
  app.add_option("--target", flags.target, "tables: column to predict, name or index (default: last column)")
      ->type_name("COLUMN")
      ->check(not_empty);
  app.add_option("--task", flags.task, "tables: regression, binary or multiclass (default: inferred)")
      ->type_name("NAME")
      ->check(not_empty);
  app.add_option("--categorical", flags.categorical, "tables: columns to treat as categories; a,b or repeated")
      ->type_name("COLUMN")
      ->delimiter(',')
      ->allow_extra_args(false);
}

deep::DatasetWithSignature read_dataset_for(const deep::TorchNetwork& network, const deep::DatasetSource& source,
                                            core::Workers& workers) {
  if (!network.signature) return deep::read_training_set(source, workers);
  return {*network.signature, deep::read_dataset(*network.signature, source, workers)};
}

void add_torch_device_flag(CLI::App& app, std::string& device) {
  app.add_option("--device", device, "device: cpu, cuda or auto (default: auto)")->type_name("NAME");
}

torch::Device open_torch_device(const std::string& device, const Common& common) {
  if (device != "cpu" && device != "cuda" && device != "auto")
    throw core::UsageError(fmt::format("--device {}: must be cpu, cuda or auto", device));
  if (device == "cpu") return torch::kCPU;
  if (torch::cuda::is_available()) {
    note(common, "the network runs on a GPU");
    return torch::kCUDA;
  }
  if (device == "cuda") throw core::Error("--device cuda: no GPU found, or libtorch was built without CUDA");
  return torch::kCPU;
}

void set_torch_threads(const Common& common) {
  torch::set_num_threads(static_cast<int>(common.threads ? common.threads : core::hardware_threads()));
}

Run add_deep(CLI::App& app, const Common& common) {
  app.require_subcommand(1);
  std::vector<std::pair<CLI::App*, Run>> runs;
  for (const Command& part : parts) {
    CLI::App* sub = app.add_subcommand(part.name, part.summary);
    sub->footer(fmt::format("Example:\n  {}", part.example));
    runs.emplace_back(sub, part.add(*sub, common));
  }
  return [runs, &common] {
    set_torch_threads(common);
    for (const auto& [sub, run] : runs)
      if (sub->parsed()) run();
  };
}

}  // namespace accrete::cli
