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
#include "accrete/deep/examples/batches.hpp"
#include "accrete/deep/sums.hpp"

namespace accrete::deep {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
using Indices = std::vector<std::int64_t>;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t evaluation_batch = 512;

void check(const Training& t, const Examples& examples) {
  const auto refuse = [](core::ParameterReference given, const char* rule) {
    throw core::UsageError(std::move(given), rule);
  };
  if (t.solver != "sgd" && t.solver != "adam") refuse(core::parameter("solver", t.solver), "must be sgd or adam");
  if (t.epochs < 1) refuse(core::parameter("epochs", t.epochs), "must be at least 1");
  if (t.batch < 1) refuse(core::parameter("batch", t.batch), "must be at least 1");
  if (!(t.learning_rate >= 0.0) || !std::isfinite(t.learning_rate))
    refuse(core::parameter("learning_rate", t.learning_rate), "must be above 0");
  if (!(t.momentum >= 0.0 && t.momentum < 1.0))
    refuse(core::parameter("momentum", t.momentum), "must be from 0 to below 1");
  if (!(t.weight_decay >= 0.0) || !std::isfinite(t.weight_decay))
    refuse(core::parameter("weight_decay", t.weight_decay), "must be 0 or above");
  if (!(t.validation_fraction >= 0.0 && t.validation_fraction < 1.0))
    refuse(core::parameter("validation_fraction", t.validation_fraction), "must be from 0 to below 1");
  if (t.augment && examples.inputs.dim() != 4)
    throw core::UsageError("only images can be augmented, and this is a table");
  if (!examples.targets.defined()) throw core::DataError(examples.source + ": there are no targets to learn");
  if (examples.size() < 2) throw core::DataError(examples.source + ": there are fewer than 2 examples");
}

double rate_of(const Training& t) {
  return t.learning_rate > 0.0 ? t.learning_rate : t.solver == "sgd" ? 0.01 : 0.001;
}

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const torch::jit::Module& module, const Training& t) {
  std::vector<torch::Tensor> weights;
  for (const torch::Tensor& weight : module.parameters()) weights.push_back(weight);
  if (t.solver == "adam")
    return std::make_unique<torch::optim::Adam>(weights,
                                                torch::optim::AdamOptions(rate_of(t)).weight_decay(t.weight_decay));
  return std::make_unique<torch::optim::SGD>(
      weights, torch::optim::SGDOptions(rate_of(t)).momentum(t.momentum).weight_decay(t.weight_decay));
}

/// Everything that determines the weights after an epoch, apart from its number.
Json settings_of(const Network& network, const Examples& examples, const Training& t) {
  const std::uint32_t data = add_checksum(add_checksum(0, examples.inputs), examples.targets);
  return {{"arch", network.record.value("arch", "")},
          {"solver", t.solver},
          {"batch", t.batch},
          {"learning_rate", rate_of(t)},
          {"momentum", t.solver == "sgd" ? t.momentum : 0.0},
          {"weight_decay", t.weight_decay},
          {"validation_fraction", t.validation_fraction},
          {"augment", t.augment},
          {"seed", t.seed},
          {"examples", examples.size()},
          {"data", data}};
}

class Trainer {
 public:
  Trainer(Network& network, const Examples& examples, const Training& training, const TrainingCallbacks& watch)
      : network_(network),
        training_(training),
        watch_(watch),
        features_(network.module.attr("features").toModule()),
        head_(network.module.attr("head").toModule()),
        batches_(network.module.attr("prepare").toModule(), examples, *network.purpose, training.device),
        settings_(settings_of(network, examples, training)) {
    network.module.to(training.device);
    optimizer_ = make_optimizer(network.module, training);
    split(examples);
    for (const char* name : curve_names) curves_[name] = Json::array();
    curves_["seconds"] = 0.0;
  }

  void resume(const std::string& checkpoint) {
    curves_ = load_checkpoint(settings_, network_, *optimizer_, checkpoint);
    if (done() > training_.epochs)
      throw core::UsageError(fmt::format("the checkpoint '{}' has {} epochs already, more than the {} asked for",
                                         checkpoint, done(), training_.epochs));
  }

  void run(const std::string& checkpoint) {
    const double before = curves_["seconds"];
    const auto start = Clock::now();
    const auto seconds = [&] { return before + std::chrono::duration<double>(Clock::now() - start).count(); };
    while (done() < training_.epochs && !stopped_) {
      Epoch epoch{done() + 1, training_.epochs, nothing, nothing, nothing, nothing, 0.0};
      train_epoch(epoch);
      curves_["seconds"] = seconds();
      if (stopped_) break;
      validate(epoch);
      epoch.seconds = seconds();
      keep(epoch);
      if (!checkpoint.empty()) save_checkpoint({settings_, curves_}, network_, *optimizer_, checkpoint);
      stopped_ = watch_.epoch && !watch_.epoch(epoch);
    }
    finish();
  }

 private:
  static constexpr const char* curve_names[] = {"train_loss", "train_accuracy", "validation_loss",
                                                "validation_accuracy"};

  std::int64_t done() const { return static_cast<std::int64_t>(curves_["train_loss"].size()); }

  void split(const Examples& examples) {
    const auto rows = static_cast<std::size_t>(examples.size());
    train_.resize(rows);
    std::iota(train_.begin(), train_.end(), 0);
    if (training_.validation_fraction == 0.0) return;
    std::vector<double> labels;
    if (!network_.purpose->classes.empty()) {
      const torch::Tensor targets = examples.targets.to(torch::kFloat64).contiguous();
      labels.assign(targets.data_ptr<double>(), targets.data_ptr<double>() + rows);
    }
    const data::Split parts = data::holdout(rows, labels, training_.validation_fraction, training_.seed);
    train_.assign(parts.train.begin(), parts.train.end());
    held_out_.assign(parts.test.begin(), parts.test.end());
  }

  torch::Tensor outputs(const torch::Tensor& inputs) { return head_.forward({features_.forward({inputs})}).toTensor(); }

  torch::Tensor loss(const torch::Tensor& outputs, const MiniBatch& batch) const {
    return outputs.size(1) > 1 ? torch::nn::functional::cross_entropy(outputs, batch.targets)
                               : torch::nn::functional::mse_loss(outputs.squeeze(1), batch.targets);
  }

  /// All random draws are functions of seed and epoch, so that training can resume after any epoch.
  void train_epoch(Epoch& epoch) {
    const auto number = static_cast<std::uint64_t>(epoch.epoch);
    torch::manual_seed(core::Rng(training_.seed, number, core::Purpose::generator).next());
    core::Rng variety(training_.seed, number, core::Purpose::choice);
    Indices order = train_;
    core::Rng(training_.seed, number, core::Purpose::batches).shuffle(std::span<std::int64_t>(order));
    network_.module.train();
    EpochMeans sums(training_.device);
    const auto size = static_cast<std::size_t>(training_.batch);
    const auto each = static_cast<std::int64_t>((order.size() + size - 1) / size);
    std::int64_t batches = (epoch.epoch - 1) * each;
    for (std::size_t first = 0; first < order.size() && !stopped_; first += size) {
      const auto from = order.begin() + static_cast<std::ptrdiff_t>(first);
      const auto count = static_cast<std::ptrdiff_t>(std::min(size, order.size() - first));
      MiniBatch batch = batches_.batch({from, from + count});
      if (training_.augment) batch.inputs = vary_images(batch.inputs, variety);
      step(batch, sums);
      stopped_ = watch_.batches && !watch_.batches(++batches, epoch.epochs * each);
    }
    epoch.train_loss = sums.loss();
    epoch.train_accuracy = sums.accuracy();
    if (!std::isfinite(epoch.train_loss))
      throw core::Diverged(
          fmt::format("epoch {}: the loss is no finite number any more; a smaller learning rate may help", number));
  }

  void step(const MiniBatch& batch, EpochMeans& sums) {
    optimizer_->zero_grad();
    const torch::Tensor given = outputs(batch.inputs);
    const torch::Tensor value = loss(given, batch);
    value.backward();
    optimizer_->step();
    sums.add(given, value, batch);
  }

  void validate(Epoch& epoch) {
    if (held_out_.empty()) return;
    const torch::NoGradGuard no_gradients;
    network_.module.eval();
    EpochMeans sums(training_.device);
    for (std::size_t first = 0; first < held_out_.size(); first += evaluation_batch) {
      const auto from = held_out_.begin() + static_cast<std::ptrdiff_t>(first);
      const auto count = static_cast<std::ptrdiff_t>(std::min<std::size_t>(evaluation_batch, held_out_.size() - first));
      const MiniBatch batch = batches_.batch({from, from + count});
      const torch::Tensor given = outputs(batch.inputs);
      sums.add(given, loss(given, batch), batch);
    }
    epoch.validation_loss = sums.loss();
    epoch.validation_accuracy = sums.accuracy();
  }

  void keep(const Epoch& epoch) {
    const double values[] = {epoch.train_loss, epoch.train_accuracy, epoch.validation_loss, epoch.validation_accuracy};
    for (std::size_t i = 0; i < std::size(values); ++i)
      if (!std::isnan(values[i])) curves_[curve_names[i]].push_back(values[i]);
    curves_["seconds"] = epoch.seconds;
  }

  void finish() {
    network_.module.to(torch::kCPU);
    network_.module.eval();
    Json record = settings_;
    record.update(curves_);
    record["epochs"] = done();
    network_.record["training"] = record;
  }

  Network& network_;
  const Training& training_;
  const TrainingCallbacks& watch_;
  torch::jit::Module features_, head_;
  MiniBatches batches_;
  Json settings_, curves_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
  Indices train_, held_out_;
  bool stopped_ = false;
};

}  // namespace

void train_network(Network& network, const Examples& examples, const Training& training, const TrainingCallbacks& watch,
                   const std::string& checkpoint, bool resume) {
  check(training, examples);
  // Disables the graph optimiser, whose results depend on how often a graph has run.
  const torch::jit::GraphOptimizerEnabledGuard as_written(false);
  Trainer trainer(network, examples, training, watch);
  if (resume) trainer.resume(checkpoint);
  trainer.run(checkpoint);
}

}  // namespace accrete::deep
