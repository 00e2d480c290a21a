#include "accrete/deep/train.hpp"

#include <fmt/format.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/torch.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/data/split.hpp"
#include "accrete/deep/checkpoint.hpp"
#include "accrete/deep/checksum.hpp"
#include "accrete/deep/dataset/batch_loader.hpp"
#include "accrete/deep/epoch_means.hpp"

namespace accrete::deep {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
using Indices = std::vector<std::int64_t>;

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t evaluation_batch = 512;

void check_options(const TrainOptions& t, const TensorDataset& dataset) {
  const auto refuse = [](core::ParameterReference parameter, const char* rule) {
    throw core::UsageError(std::move(parameter), rule);
  };
  if (t.solver != "sgd" && t.solver != "adam") refuse(core::parameter("solver", t.solver), "must be sgd or adam");
  if (t.epochs < 1) refuse(core::parameter("epochs", t.epochs), "must be at least 1");
  if (t.batch_size < 1) refuse(core::parameter("batch", t.batch_size), "must be at least 1");
  if (!(t.learning_rate >= 0.0) || !std::isfinite(t.learning_rate))
    refuse(core::parameter("learning_rate", t.learning_rate),
           "must be finite and at least 0 (0: the solver's default)");
  if (!(t.momentum >= 0.0 && t.momentum < 1.0))
    refuse(core::parameter("momentum", t.momentum), "must be at least 0 and below 1");
  if (!(t.weight_decay >= 0.0) || !std::isfinite(t.weight_decay))
    refuse(core::parameter("weight_decay", t.weight_decay), "must be finite and at least 0");
  if (!(t.validation_fraction >= 0.0 && t.validation_fraction < 1.0))
    refuse(core::parameter("validation_fraction", t.validation_fraction), "must be at least 0 and below 1");
  if (t.augment && dataset.inputs.dim() != 4)
    throw core::UsageError("only images can be augmented, but the data are a table");
  if (!dataset.targets.defined()) throw core::DataError(dataset.source + ": no targets to train on");
  if (dataset.size() < 2) throw core::DataError(dataset.source + ": needs at least 2 examples");
}

double learning_rate_of(const TrainOptions& t) {
  return t.learning_rate > 0.0 ? t.learning_rate : t.solver == "sgd" ? 0.01 : 0.001;
}

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const torch::jit::Module& module, const TrainOptions& t) {
  std::vector<torch::Tensor> weights;
  for (const torch::Tensor& weight : module.parameters()) weights.push_back(weight);
  if (t.solver == "adam")
    return std::make_unique<torch::optim::Adam>(
        weights, torch::optim::AdamOptions(learning_rate_of(t)).weight_decay(t.weight_decay));
  return std::make_unique<torch::optim::SGD>(
      weights, torch::optim::SGDOptions(learning_rate_of(t)).momentum(t.momentum).weight_decay(t.weight_decay));
}

/// Everything that determines the weights after an epoch, apart from its number.
Json settings_of(const TorchNetwork& network, const TensorDataset& dataset, const TrainOptions& t) {
  const std::uint32_t data = add_checksum(add_checksum(0, dataset.inputs), dataset.targets);
  return {{"arch", network.record.value("arch", "")},
          {"solver", t.solver},
          {"batch", t.batch_size},
          {"learning_rate", learning_rate_of(t)},
          {"momentum", t.solver == "sgd" ? t.momentum : 0.0},
          {"weight_decay", t.weight_decay},
          {"validation_fraction", t.validation_fraction},
          {"augment", t.augment},
          {"seed", t.seed},
          {"examples", dataset.size()},
          {"data", data}};
}

class Trainer {
 public:
  Trainer(TorchNetwork& network, const TensorDataset& dataset, const TrainOptions& options,
          const TrainingCallbacks& callbacks)
      : network_(network),
        options_(options),
        callbacks_(callbacks),
        features_(network.module.attr("features").toModule()),
        head_(network.module.attr("head").toModule()),
        batches_(network.module.attr("prepare").toModule(), dataset, *network.signature, options.device),
        image_shape_(dataset.inputs.sizes().slice(1).vec()),
        settings_(settings_of(network, dataset, options)) {
    network.module.to(options.device);
    optimizer_ = make_optimizer(network.module, options);
    split(dataset);
    for (const char* name : curve_names) curves_[name] = Json::array();
    curves_["seconds"] = 0.0;
  }

  void resume(const std::string& checkpoint) {
    curves_ = load_checkpoint(settings_, network_, *optimizer_, checkpoint);
    if (finished_epochs() > options_.epochs)
      throw core::UsageError(fmt::format("the checkpoint '{}' already has {} epochs, more than the requested {}",
                                         checkpoint, finished_epochs(), options_.epochs));
  }

  void run(const std::string& checkpoint) {
    const double before = curves_["seconds"];
    const auto start = Clock::now();
    const auto seconds = [&] { return before + std::chrono::duration<double>(Clock::now() - start).count(); };
    while (finished_epochs() < options_.epochs && !stopped_) {
      Epoch epoch{finished_epochs() + 1, options_.epochs, not_measured, not_measured, not_measured, not_measured, 0.0};
      train_epoch(epoch);
      curves_["seconds"] = seconds();
      if (stopped_) break;
      validate(epoch);
      epoch.seconds = seconds();
      record(epoch);
      if (!checkpoint.empty()) save_checkpoint({settings_, curves_}, network_, *optimizer_, checkpoint);
      stopped_ = callbacks_.after_epoch && !callbacks_.after_epoch(epoch);
    }
    finish();
  }

 private:
  static constexpr const char* curve_names[] = {"train_loss", "train_accuracy", "validation_loss",
                                                "validation_accuracy"};

  std::int64_t finished_epochs() const { return static_cast<std::int64_t>(curves_["train_loss"].size()); }

  void split(const TensorDataset& dataset) {
    const auto rows = static_cast<std::size_t>(dataset.size());
    train_rows_.resize(rows);
    std::iota(train_rows_.begin(), train_rows_.end(), 0);
    if (options_.validation_fraction == 0.0) return;
    std::vector<double> labels;
    if (!network_.signature->classes.empty()) {
      const torch::Tensor targets = dataset.targets.to(torch::kFloat64).contiguous();
      labels.assign(targets.data_ptr<double>(), targets.data_ptr<double>() + rows);
    }
    const data::Split parts = data::holdout(rows, labels, options_.validation_fraction, options_.seed);
    train_rows_.assign(parts.train.begin(), parts.train.end());
    held_out_rows_.assign(parts.test.begin(), parts.test.end());
  }

  torch::Tensor outputs(const torch::Tensor& inputs) { return head_.forward({features_.forward({inputs})}).toTensor(); }

  torch::Tensor loss(const torch::Tensor& outputs, const TensorBatch& batch) const {
    return outputs.size(1) > 1 ? torch::nn::functional::cross_entropy(outputs, batch.targets)
                               : torch::nn::functional::mse_loss(outputs.squeeze(1), batch.targets);
  }

  /// All random draws are functions of seed and epoch, so that training can resume after any epoch.
  void train_epoch(Epoch& epoch) {
    const auto number = static_cast<std::uint64_t>(epoch.epoch);
    torch::manual_seed(core::Rng(options_.seed, number, core::Purpose::generator).next());
    Indices order = train_rows_;
    core::Rng(options_.seed, number, core::Purpose::batches).shuffle(std::span<std::int64_t>(order));
    batches_.set_order(order);
    const torch::Tensor augmentation = options_.augment ? draw_epoch_augmentation(number) : torch::Tensor();
    network_.module.train();
    EpochMeans means(options_.device);
    const auto size = static_cast<std::size_t>(options_.batch_size);
    const auto batches_per_epoch = static_cast<std::int64_t>((order.size() + size - 1) / size);
    std::int64_t finished = (epoch.epoch - 1) * batches_per_epoch;
    for (std::size_t first = 0; first < order.size() && !stopped_; first += size) {
      const std::size_t count = std::min(size, order.size() - first);
      TensorBatch batch = batches_.batch(first, count);
      if (options_.augment)
        batch.inputs = augment_images(
            batch.inputs, augmentation.narrow(0, static_cast<std::int64_t>(first), static_cast<std::int64_t>(count)));
      step(batch, means);
      stopped_ = callbacks_.after_batch && !callbacks_.after_batch(++finished, epoch.epochs * batches_per_epoch);
    }
    epoch.train_loss = means.loss();
    epoch.train_accuracy = means.accuracy();
    if (!std::isfinite(epoch.train_loss))
      throw core::Diverged(fmt::format("epoch {}: the loss is no longer finite; try a lower learning rate", number));
  }

  torch::Tensor draw_epoch_augmentation(std::uint64_t epoch) {
    core::Rng rng(options_.seed, epoch, core::Purpose::choice);
    const auto count = static_cast<std::int64_t>(train_rows_.size());
    return draw_augmentation(count, image_shape_, rng).to(options_.device);
  }

  void step(const TensorBatch& batch, EpochMeans& means) {
    optimizer_->zero_grad();
    const torch::Tensor predicted = outputs(batch.inputs);
    const torch::Tensor value = loss(predicted, batch);
    value.backward();
    optimizer_->step();
    means.add(predicted, value, batch);
  }

  void validate(Epoch& epoch) {
    if (held_out_rows_.empty()) return;
    const torch::NoGradGuard no_gradients;
    network_.module.eval();
    EpochMeans means(options_.device);
    batches_.set_order(held_out_rows_);
    for (std::size_t first = 0; first < held_out_rows_.size(); first += evaluation_batch) {
      const TensorBatch batch = batches_.batch(first, std::min(evaluation_batch, held_out_rows_.size() - first));
      const torch::Tensor predicted = outputs(batch.inputs);
      means.add(predicted, loss(predicted, batch), batch);
    }
    epoch.validation_loss = means.loss();
    epoch.validation_accuracy = means.accuracy();
  }

  void record(const Epoch& epoch) {
    const double values[] = {epoch.train_loss, epoch.train_accuracy, epoch.validation_loss, epoch.validation_accuracy};
    for (std::size_t i = 0; i < std::size(values); ++i)
      if (!std::isnan(values[i])) curves_[curve_names[i]].push_back(values[i]);
    curves_["seconds"] = epoch.seconds;
  }

  void finish() {
    network_.module.to(torch::kCPU);
    network_.module.eval();
    Json training = settings_;
    training.update(curves_);
    training["epochs"] = finished_epochs();
    network_.record["training"] = training;
  }

  TorchNetwork& network_;
  const TrainOptions& options_;
  const TrainingCallbacks& callbacks_;
  torch::jit::Module features_, head_;
  BatchLoader batches_;
  std::vector<std::int64_t> image_shape_;
  Json settings_, curves_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
  Indices train_rows_, held_out_rows_;
  bool stopped_ = false;
};

}  // namespace

void train_network(TorchNetwork& network, const TensorDataset& dataset, const TrainOptions& options,
                   const TrainingCallbacks& callbacks, const std::string& checkpoint, bool resume) {
  check_options(options, dataset);
  // Disables the graph optimiser, whose results depend on how often a graph has run.
  const torch::jit::GraphOptimizerEnabledGuard no_optimiser(false);
  Trainer trainer(network, dataset, options, callbacks);
  if (resume) trainer.resume(checkpoint);
  trainer.run(checkpoint);
}

}  // namespace accrete::deep
