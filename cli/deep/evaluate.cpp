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
  ExampleFlags examples{.part = "test"};
  std::vector<std::string> units;
  std::int64_t batch = 256;
  std::string device = "auto";
};

struct Result {
  std::optional<std::int64_t> units;
  std::vector<std::pair<std::string, double>> metrics;
  double seconds;
};

std::int64_t whole_units(const std::string& text) {
  const std::string wrong = whole_number(1, 1'000'000'000)(text);
  if (!wrong.empty()) throw core::UsageError("--units " + wrong);
  return std::stoll(text);
}

/// A network trained by accrete records its task and classes; for other networks they come from the data.
deep::TrainingExamples open(const deep::Network& network, const deep::ExampleSource& source, core::Workers& workers) {
  deep::TrainingExamples opened =
      network.purpose ? deep::TrainingExamples{*network.purpose, {}} : deep::open_examples(source, workers);
  if (network.purpose) opened.examples = deep::read_examples(opened.purpose, source, workers);
  if (!opened.examples.targets.defined())
    throw core::DataError(
        fmt::format("{}: target column '{}' is missing", source.path, opened.purpose.targets.front()));
  return opened;
}

core::Matrix<double> targets_of(const deep::Examples& examples) {
  const torch::Tensor values = examples.targets.to(torch::kFloat64).contiguous();
  core::Matrix<double> targets(static_cast<std::size_t>(examples.size()), 1);
  std::copy_n(values.data_ptr<double>(), values.numel(), &targets(0, 0));
  return targets;
}

using Lengths = std::vector<std::optional<std::int64_t>>;

std::vector<Result> measure(const deep::Network& network, const deep::TrainingExamples& opened, const Lengths& lengths,
                            deep::Prediction how, const Common& common) {
  const core::Matrix<double> targets = targets_of(opened.examples);
  catch_interrupts();
  ProgressBar bar(common);
  std::vector<Result> results;
  how.see = [&](std::int64_t done, std::int64_t all) {
    const auto each = static_cast<std::size_t>(all);
    bar.update(results.size() * each + static_cast<std::size_t>(done), lengths.size() * each, "measuring");
    return !interrupted();
  };
  for (const auto& length : lengths) {
    how.units = length;
    const auto start = std::chrono::steady_clock::now();
    const auto predictions = deep::predict(network, opened.purpose, opened.examples, how);
    if (!predictions) throw Interrupted{fmt::format("stopped by {}", interrupt_name())};
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const bool cut = length && network.purpose;  // a network not written by accrete may round units in its own way
    if (cut && deep::units_at_work(network, *length) != *length)
      note(common,
           fmt::format("--units {} is between steps: using {}", *length, deep::units_at_work(network, *length)));
    results.push_back({cut ? deep::units_at_work(network, *length) : length,
                       metric::all_for(opened.purpose.task, {*predictions, targets, {}}), seconds});
  }
  return results;
}

void report(const deep::TrainingExamples& opened, const std::vector<Result>& results, const Common& common) {
  Json list = Json::array();
  std::vector<std::vector<std::string>> rows{{"units"}};
  for (const auto& [name, value] : results.front().metrics) rows[0].push_back(name);
  rows[0].push_back("time");
  for (const Result& result : results) {
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
    print_json({{"rows", opened.examples.size()},
                {"task", data::task_name(opened.purpose.task)},
                {"metric", metric::primary(opened.purpose.task)},
                {"results", list}});
  else
    print(draw_table(rows));
}

void evaluate(const DeepEvaluateFlags& flags, const Common& common) {
  // Check all flags before reading files.
  const deep::ExampleSource source = flags.examples.source();
  Lengths lengths;
  for (const auto& text : flags.units) lengths.emplace_back(whole_units(text));
  if (lengths.empty()) lengths.emplace_back();
  const deep::Prediction how{.batch = flags.batch, .device = open_torch_device(flags.device, common)};
  core::Workers workers(common.threads);
  const deep::Network network = deep::load_network(flags.network);
  const deep::TrainingExamples opened = open(network, source, workers);
  report(opened, measure(network, opened, lengths, how, common), common);
}

}  // namespace

Run add_deep_evaluate(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<DeepEvaluateFlags>();
  app.add_option("network", flags->network,
                 "file of accrete deep train or boost, or a TorchScript module that returns class logits")
      ->required()
      ->type_name("NETWORK");
  add_example_flags(app, flags->examples);
  add_part_flag(app, flags->examples, "measure on");
  add_example_target_flags(app, flags->examples);
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
