// accrete deep evaluate: all metrics of a network on labelled rows, at one or several numbers of units.

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "accrete/core/error.hpp"
#include "accrete/deep/predict.hpp"
#include "accrete/metric/list.hpp"
#include "cli/deep/deep.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/options.hpp"
#include "cli/support/print.hpp"
#include "cli/support/progress.hpp"

namespace accrete::cli {
namespace {

struct DeepEvaluateFlags {
  std::string network;
  DatasetFlags dataset{.part = "test"};
  std::vector<std::string> units;
  std::int64_t batch = 256;
  std::string device = "auto";
};

struct UnitsResult {
  std::optional<std::int64_t> units;
  std::vector<std::pair<std::string, double>> metrics;
  double seconds;
};

std::int64_t whole_units(const std::string& text) {
  const std::string wrong = whole_number(1, 1'000'000'000)(text);
  if (!wrong.empty()) throw core::UsageError("--units " + wrong);
  return std::stoll(text);
}

deep::DatasetWithSignature read_labelled(const deep::TorchNetwork& network, const deep::DatasetSource& source,
                                         core::Workers& workers) {
  deep::DatasetWithSignature labelled = read_dataset_for(network, source, workers);
  if (!labelled.dataset.targets.defined())
    throw core::DataError(
        fmt::format("{}: target column '{}' is missing", source.path, labelled.signature.targets.front()));
  return labelled;
}

core::Matrix<double> targets_of(const deep::TensorDataset& dataset) {
  const torch::Tensor values = dataset.targets.to(torch::kFloat64).contiguous();
  core::Matrix<double> targets(static_cast<std::size_t>(dataset.size()), 1);
  std::copy_n(values.data_ptr<double>(), values.numel(), &targets(0, 0));
  return targets;
}

/// Numbers of units; unset: all.
using Lengths = std::vector<std::optional<std::int64_t>>;

std::vector<UnitsResult> measure(const deep::TorchNetwork& network, const deep::DatasetWithSignature& labelled,
                                 const Lengths& lengths, deep::PredictOptions options, const Common& common) {
  const core::Matrix<double> targets = targets_of(labelled.dataset);
  ProgressBar bar(common);
  std::vector<UnitsResult> results;
  options.observer = [&](std::int64_t done, std::int64_t total) {
    const auto rows = static_cast<std::size_t>(total);
    bar.update(results.size() * rows + static_cast<std::size_t>(done), lengths.size() * rows, "measuring");
    return !interrupted();
  };
  for (const auto& length : lengths) {
    options.units = length;
    const auto start = std::chrono::steady_clock::now();
    const auto predictions = deep::predict(network, labelled.signature, labelled.dataset, options);
    if (!predictions) throw Interrupted{fmt::format("stopped by {}", interrupt_name())};
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const bool rounds = length && network.signature;  // a network not written by accrete may round units in its own way
    if (rounds && deep::round_units(network, *length) != *length)
      note(common, fmt::format("--units {} is between steps: using {}", *length, deep::round_units(network, *length)));
    results.push_back({rounds ? deep::round_units(network, *length) : length,
                       metric::all_for(labelled.signature.task, {*predictions, targets, {}}), seconds});
  }
  return results;
}

void report(const deep::DatasetWithSignature& labelled, const std::vector<UnitsResult>& results, const Common& common) {
  Json list = Json::array();
  std::vector<std::vector<std::string>> rows{{"units"}};
  for (const auto& [name, value] : results.front().metrics) rows[0].push_back(name);
  rows[0].push_back("time");
  for (const UnitsResult& result : results) {
    Json entry{{"units", result.units ? Json(*result.units) : Json()}};
    std::vector<std::string> row{result.units ? std::to_string(*result.units) : "all"};
    for (const auto& [name, value] : result.metrics) {
      entry[name] = value;
      row.push_back(show_metric(name, value));
    }
    entry["seconds"] = result.seconds;
    row.push_back(show_seconds(result.seconds));
    list.push_back(std::move(entry));
    rows.push_back(std::move(row));
  }
  if (common.json)
    print_json({{"rows", labelled.dataset.size()},
                {"task", data::task_name(labelled.signature.task)},
                {"metric", metric::primary(labelled.signature.task)},
                {"results", list}});
  else
    print(draw_table(rows));
}

void evaluate(const DeepEvaluateFlags& flags, const Common& common) {
  // Check all flags before reading files.
  const deep::DatasetSource source = flags.dataset.source();
  Lengths lengths;
  for (const auto& text : flags.units) lengths.emplace_back(whole_units(text));
  if (lengths.empty()) lengths.emplace_back();
  const deep::PredictOptions options{.batch_size = flags.batch, .device = open_torch_device(flags.device, common)};
  core::Workers workers(common.threads);
  const deep::TorchNetwork network = deep::load_network(flags.network);
  const deep::DatasetWithSignature labelled = read_labelled(network, source, workers);
  report(labelled, measure(network, labelled, lengths, options, common), common);
}

}  // namespace

Run add_deep_evaluate(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<DeepEvaluateFlags>();
  app.add_option("network", flags->network,
                 "file of accrete deep train or boost, or a TorchScript module that returns class logits")
      ->required()
      ->type_name("NETWORK");
  add_dataset_flags(app, flags->dataset);
  add_part_flag(app, flags->dataset, "measure on");
  add_dataset_target_flags(app, flags->dataset);
  app.add_option("--units", flags->units,
                 "use the first N units of a boosted head, rounded down to a step; a,b,c for several (default: all)")
      ->type_name("N")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--batch", flags->batch, "batch size (default: 256)")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000));
  add_torch_device_flag(app, flags->device);
  return [flags, &common] { evaluate(*flags, common); };
}

}  // namespace accrete::cli
