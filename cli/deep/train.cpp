// accrete deep train: trains a backbone on a CSV file or images.

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>

#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/deep/backbone.hpp"
#include "accrete/deep/train.hpp"
#include "cli/deep/deep.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/options.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/print.hpp"
#include "cli/support/progress.hpp"

namespace accrete::cli {
namespace {

namespace fs = std::filesystem;

struct DeepTrainFlags {
  DatasetFlags dataset;
  deep::TrainOptions training;
  std::string arch, device = "auto", output;
  bool resume = false;

  std::string checkpoint() const { return output + ".checkpoint"; }
};

/// data/covertype.csv.gz -> covertype.pt, mnist/ -> mnist.pt in the current directory.
std::string default_output(const std::string& data) {
  fs::path name = fs::path(data).lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  name = name.filename();
  for (const char* ending : {".gz", ".csv"})
    if (name.extension() == ending) name = name.stem();
  return (name == "." || name == ".." || name.empty() ? "backbone" : name.string()) + ".pt";
}

/// Callbacks for the progress bar and Ctrl-C.
deep::TrainingCallbacks progress_callbacks(ProgressBar& bar) {
  auto last_epoch = std::make_shared<std::string>();
  deep::TrainingCallbacks callbacks;
  callbacks.after_batch = [&bar, last_epoch](std::int64_t done, std::int64_t total) {
    bar.update(static_cast<std::size_t>(done), static_cast<std::size_t>(total),
               last_epoch->empty() ? "first epoch" : *last_epoch);
    return !interrupted();
  };
  callbacks.after_epoch = [last_epoch](const deep::Epoch& epoch) {
    *last_epoch = fmt::format("{}/{} epochs, loss {}", epoch.epoch, epoch.epochs, show_number(epoch.train_loss));
    if (!std::isnan(epoch.validation_loss))
      *last_epoch += fmt::format(", validation {}", show_number(epoch.validation_loss));
    return !interrupted();
  };
  return callbacks;
}

std::string show_inputs(const deep::Inputs& inputs) {
  if (inputs.kind == deep::Inputs::Kind::images)
    return fmt::format("images, {} x {} pixels, {} channel{}", inputs.height, inputs.width, inputs.channels,
                       inputs.channels == 1 ? "" : "s");
  return "rows, " + cli::show_inputs(inputs.encoder);
}

std::size_t count_weights(const deep::TorchNetwork& network) {
  std::size_t count = 0;
  for (const torch::Tensor& weight : network.module.parameters()) count += static_cast<std::size_t>(weight.numel());
  return count;
}

/// Draws at most 12 epochs, including the last.
std::string draw_curve(const nlohmann::json& training) {
  std::vector<std::vector<std::string>> rows{{"epoch"}};
  std::vector<std::pair<std::string, const nlohmann::json*>> curves;
  for (const char* part : {"train", "validation"})
    for (const char* what : {"loss", "accuracy"}) {
      const auto& curve = training.at(fmt::format("{}_{}", part, what));
      if (!curve.empty()) curves.emplace_back(what, &curve), rows[0].push_back(fmt::format("{} {}", part, what));
    }
  const std::size_t epochs = training.at("train_loss").size();
  const std::size_t step = (epochs + 11) / 12;
  for (std::size_t e = epochs; e > 0; e -= std::min(e, step)) {
    std::vector<std::string> row{std::to_string(e)};
    for (const auto& [what, curve] : curves) row.push_back(show_metric(what, (*curve)[e - 1].get<double>()));
    rows.insert(rows.begin() + 1, std::move(row));
  }
  return draw_table(rows);
}

void report(const DeepTrainFlags& flags, const deep::TorchNetwork& network, const Common& common) {
  const auto& training = network.record["training"];
  const deep::Signature& signature = *network.signature;
  if (common.json) {
    Json json{{"network", flags.output},
              {"arch", network.record["arch"]},
              {"task", data::task_name(signature.task)},
              {"target", signature.targets.front()},
              {"classes", signature.classes},
              {"weights", count_weights(network)}};
    for (const auto& [name, value] : training.items()) json[name] = value;
    return print_json(json);
  }
  if (common.quiet) return;
  std::vector<std::pair<std::string, std::string>> facts;
  facts.emplace_back("data", fmt::format("{}: {} {}", flags.dataset.path, training["examples"].get<std::size_t>(),
                                         show_inputs(signature.inputs)));
  facts.emplace_back("target", signature.targets.front());
  facts.emplace_back("task", data::task_name(signature.task));
  if (!signature.classes.empty()) facts.emplace_back("classes", show_list(signature.classes));
  facts.emplace_back("network",
                     fmt::format("{}, {} weights", network.record["arch"].get<std::string>(), count_weights(network)));
  facts.emplace_back("training", fmt::format("{} by {}, learning rate {}, batches of {}",
                                             core::counted(training["epochs"].get<std::size_t>(), "epoch"),
                                             training["solver"].get<std::string>(),
                                             show_number(training["learning_rate"]), flags.training.batch_size));
  facts.emplace_back("time", show_seconds(training["seconds"]));
  facts.emplace_back("saved", flags.output);
  print(draw_curve(training) + "\n" + list_facts(facts));
  if (!interrupted())
    note(common, fmt::format("next: accrete deep boost {} {} -o joined.pt", flags.output, flags.dataset.path));
}

void train(DeepTrainFlags& flags, const Common& common) {
  if (flags.output.empty()) {
    flags.output = default_output(flags.dataset.path);
    note(common, fmt::format("no -o given: writing '{}'", flags.output));
  }
  const auto architecture = deep::parse_architecture(flags.arch);
  const auto source = flags.dataset.source();
  flags.training.device = open_torch_device(flags.device, common);
  check_output(flags.output, {flags.dataset.path});
  check_output(flags.checkpoint(), {flags.dataset.path});
  core::Workers workers(common.threads);
  deep::DatasetWithSignature training_set = deep::read_training_set(source, workers);
  deep::TorchNetwork network = deep::make_backbone(architecture, training_set.signature, flags.training.seed);
  const bool resume = flags.resume && fs::exists(flags.checkpoint());
  if (flags.resume && !resume)
    note(common, fmt::format("no checkpoint '{}': starting from scratch", flags.checkpoint()));
  keep_results();  // after an interrupt, the network of the last epoch is saved
  ProgressBar bar(common);
  deep::train_network(network, training_set.dataset, flags.training, progress_callbacks(bar), flags.checkpoint(),
                      resume);
  bar.clear();
  deep::save_network(network, flags.output);
  report(flags, network, common);
  const auto epochs = network.record["training"]["epochs"].get<std::int64_t>();
  if (epochs >= flags.training.epochs) {
    fs::remove(flags.checkpoint());
    return;
  }
  finish_output();
  throw Interrupted{fmt::format("stopped by {} after {}; saved; rerun with --resume to continue", interrupt_name(),
                                core::counted(static_cast<std::size_t>(epochs), "epoch"))};
}

/// For Option::check.
std::string above_zero(const std::string& text) {
  const auto number = data::parse_number(text);
  return number && *number > 0.0 && std::isfinite(*number) ? "" : text + " must be a number above 0";
}

void add_training_flags(CLI::App& app, deep::TrainOptions& training) {
  constexpr std::uint64_t max_count = 1'000'000'000;
  app.add_option("--solver", training.solver, "sgd or adam (default: adam)")->type_name("NAME");
  app.add_option("--epochs", training.epochs, "passes over the data (default: 20)")
      ->type_name("N")
      ->check(whole_number(1, max_count));
  app.add_option("--batch", training.batch_size, "batch size (default: 128)")
      ->type_name("N")
      ->check(whole_number(1, max_count));
  app.add_option("--learning-rate", training.learning_rate,
                 "learning rate, above 0 (default: 0.01 for sgd, 0.001 for adam)")
      ->type_name("X")
      ->check(above_zero);
  app.add_option("--momentum", training.momentum, "momentum of sgd, at least 0, below 1 (default: 0.9)")
      ->type_name("X");
  app.add_option("--weight-decay", training.weight_decay, "weight decay (default: 0)")->type_name("X");
  app.add_option("--validation-fraction", training.validation_fraction, "fraction of rows to validate on (default: 0)")
      ->type_name("X");
  app.add_flag("--augment", training.augment, "images: random shifts of up to 10 %, and mirroring of colour images");
  add_seed_flag(app, training.seed, "initial weights, batches and dropout");
}

}  // namespace

Run add_deep_train(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<DeepTrainFlags>();
  add_dataset_flags(app, flags->dataset);
  app.add_option("--arch", flags->arch, "architecture: dense:100,100,100 (layer widths) for tables, cnn for images")
      ->required()
      ->type_name("NAME");
  app.add_option("-o,--output", flags->output, "TorchScript file to write (default: DATA.pt)")
      ->type_name("FILE")
      ->check(not_empty);
  add_dataset_target_flags(app, flags->dataset);
  add_training_flags(app, flags->training);
  add_torch_device_flag(app, flags->device);
  app.add_flag("--resume", flags->resume, "resume from OUTPUT.checkpoint, which every epoch writes");
  return [flags, &common] { train(*flags, common); };
}

}  // namespace accrete::cli
