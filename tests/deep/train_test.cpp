#include "accrete/deep/train.hpp"

#include <fstream>

#include "accrete/core/error.hpp"
#include "accrete/deep/backbone.hpp"
#include "tests/deep/sample.hpp"

namespace accrete::deep::train_test {
namespace {

using deep_test::circle;
using deep_test::same_weights;

class Train : public deep_test::FolderTest {};

TorchNetwork dense(const Signature& signature, std::uint64_t seed = 0) {
  return make_backbone(parse_architecture("dense:16,16"), signature, seed);
}

/// 8 x 8 images with a bright left or right half, or none.
TensorDataset halves(std::int64_t count, std::int64_t channels) {
  torch::Tensor images = torch::randint(0, 100, {count, channels, 8, 8}, torch::kUInt8);
  torch::Tensor labels = torch::arange(count, torch::kInt64).remainder(3);
  for (std::int64_t i = 0; i < count; ++i)
    if (i % 3 < 2) images[i].slice(2, 4 * (i % 3), 4 * (i % 3) + 4) += 120;
  return {"halves", images, labels};
}

double accuracy(TorchNetwork& network, const TensorDataset& dataset) {
  const torch::Tensor given = network.module.forward({dataset.inputs}).toTensor();
  return given.argmax(1).eq(dataset.targets).to(torch::kFloat64).mean().item<double>();
}

TEST_F(Train, LearnsCircleWithBothSolvers) {
  const auto sample = circle(600);
  for (const char* solver : {"adam", "sgd"}) {
    TorchNetwork network = dense(sample.signature);
    train_network(network, sample.dataset, {.solver = solver, .epochs = 60, .batch_size = 32, .learning_rate = 0.01},
                  {});
    EXPECT_GT(accuracy(network, sample.dataset), 0.95) << solver;
    const auto& record = network.record["training"];
    ASSERT_EQ(record["train_loss"].size(), 60u);
    EXPECT_LT(record["train_loss"].back(), 0.5 * record["train_loss"].front().get<double>());
    EXPECT_EQ(record["solver"], solver);
    EXPECT_EQ(record["epochs"], 60);
    EXPECT_GT(record["seconds"], 0.0);
  }
}

TEST_F(Train, LearnsRegressionInTheTargetsUnits) {
  const torch::Tensor inputs = torch::randn({400, 2}, at::make_generator<at::CPUGeneratorImpl>(1));
  Signature signature = deep_test::table_signature(inputs, {});
  const TensorDataset dataset{"plane", inputs, 500.0 + 30.0 * (inputs.select(1, 0) - 2.0 * inputs.select(1, 1))};
  signature.shift = dataset.targets.mean().item<double>();
  signature.scale = dataset.targets.std().item<double>();
  TorchNetwork network = dense(signature);
  train_network(network, dataset, {.epochs = 60, .batch_size = 32, .learning_rate = 0.01}, {});
  const torch::Tensor given = network.module.forward({inputs}).toTensor().squeeze(1);
  EXPECT_LT((given - dataset.targets).pow(2).mean().sqrt().item<double>(), 0.1 * signature.scale);
  EXPECT_TRUE(network.record["training"]["train_accuracy"].empty());
}

TEST_F(Train, LearnsImagesWithACnn) {
  for (const std::int64_t channels : {1, 3}) {
    const TensorDataset dataset = halves(96, channels);
    TorchNetwork network = make_backbone(parse_architecture("cnn"), deep_test::images_signature(channels, 8, 3), 0);
    train_network(network, dataset, {.epochs = 12, .batch_size = 16, .augment = channels == 1}, {});
    EXPECT_GT(accuracy(network, dataset), 0.9) << channels;
  }
}

TEST_F(Train, SameSeedGivesTheSameBits) {
  const TensorDataset dataset = halves(48, 3);
  const auto trained = [&](std::uint64_t seed) {
    TorchNetwork network = make_backbone(parse_architecture("cnn"), deep_test::images_signature(3, 8, 3), 5);
    train_network(network, dataset, {.epochs = 2, .batch_size = 16, .augment = true, .seed = seed}, {});
    return network;
  };
  const TorchNetwork first = trained(1);
  torch::rand({17});  // the process's own generator has moved on
  EXPECT_TRUE(same_weights(first, trained(1)));
  EXPECT_FALSE(same_weights(first, trained(2)));
}

TEST_F(Train, ResumedTrainingEqualsOneRun) {
  const TensorDataset dataset = halves(60, 1);
  for (const char* solver : {"sgd", "adam"}) {
    const TrainOptions training{
        .solver = solver, .epochs = 4, .batch_size = 16, .validation_fraction = 0.2, .augment = true};
    const auto made = [] { return make_backbone(parse_architecture("cnn"), deep_test::images_signature(1, 8, 3), 0); };
    TorchNetwork unbroken = made(), broken = made(), resumed = made();
    train_network(unbroken, dataset, training, {});
    // In the middle of the third epoch: what counts is the end of the second.
    TrainingCallbacks callbacks;
    callbacks.after_batch = [](std::int64_t done, std::int64_t all) {
      EXPECT_EQ(all, 12);
      return done < 7;
    };
    train_network(broken, dataset, training, callbacks, path("checkpoint"));
    EXPECT_EQ(broken.record["training"]["epochs"], 2);
    EXPECT_FALSE(same_weights(unbroken, broken));
    train_network(resumed, dataset, training, {}, path("checkpoint"), true);
    EXPECT_TRUE(same_weights(unbroken, resumed)) << solver;
    EXPECT_EQ(unbroken.record["training"]["train_loss"], resumed.record["training"]["train_loss"]);
    EXPECT_EQ(unbroken.record["training"]["validation_loss"], resumed.record["training"]["validation_loss"]);
  }
}

TEST_F(Train, RejectsTheCheckpointOfAnotherTraining) {
  const auto sample = circle(50);
  TorchNetwork network = dense(sample.signature);
  const TrainOptions training{.epochs = 1};
  train_network(network, sample.dataset, training, {}, path("checkpoint"));
  const auto go_on = [&](const TensorDataset& dataset, const TrainOptions& options, const char* file) {
    TorchNetwork fresh = dense(sample.signature);
    train_network(fresh, dataset, options, {}, path(file), true);
  };
  EXPECT_NO_THROW(go_on(sample.dataset, {.epochs = 2}, "checkpoint"));
  EXPECT_THROW(go_on(sample.dataset, {.epochs = 3, .batch_size = 64}, "checkpoint"), core::UsageError);
  EXPECT_THROW(go_on({"circle", sample.dataset.inputs + 1.0, sample.dataset.targets}, {.epochs = 3}, "checkpoint"),
               core::UsageError);
  std::ofstream(path("rubbish")) << "rubbish";
  EXPECT_THROW(go_on(sample.dataset, training, "rubbish"), core::FileError);
  EXPECT_THROW(go_on(sample.dataset, training, "none"), core::FileError);
}

TEST_F(Train, MonitorsTheValidationSetWithoutTrainingOnIt) {
  auto sample = circle(200);
  TorchNetwork network = dense(sample.signature);
  std::vector<Epoch> seen;
  TrainingCallbacks callbacks;
  callbacks.after_epoch = [&](const Epoch& epoch) {
    seen.push_back(epoch);
    return epoch.epoch < 2;
  };
  train_network(network, sample.dataset, {.epochs = 5, .validation_fraction = 0.25}, callbacks);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_TRUE(std::isfinite(seen[0].validation_loss));
  EXPECT_GT(seen[0].validation_accuracy, 0.0);
  EXPECT_EQ(network.record["training"]["epochs"], 2);
}

TEST_F(Train, HasNoValidationCurvesWithoutAValidationSet) {
  const auto sample = circle(40);
  TorchNetwork network = dense(sample.signature);
  TrainingCallbacks callbacks;
  callbacks.after_epoch = [&](const Epoch& epoch) {
    EXPECT_TRUE(std::isnan(epoch.validation_loss));
    return true;
  };
  train_network(network, sample.dataset, {.epochs = 1}, callbacks);
  EXPECT_TRUE(network.record["training"]["validation_loss"].empty());
}

TEST_F(Train, ReportsDivergence) {
  const auto sample = circle(100);
  TorchNetwork network = dense(sample.signature);
  EXPECT_THROW(train_network(network, sample.dataset, {.solver = "sgd", .epochs = 50, .learning_rate = 1e12}, {}),
               core::DataError);
}

TEST_F(Train, RejectsSettingsOutOfRange) {
  const auto sample = circle(40);
  const auto refused = [&](const TrainOptions& training) {
    TorchNetwork network = dense(sample.signature);
    EXPECT_THROW(train_network(network, sample.dataset, training, {}), core::UsageError);
  };
  refused({.solver = "lbfgs"});
  refused({.epochs = 0});
  refused({.batch_size = 0});
  refused({.learning_rate = -1.0});
  refused({.momentum = 1.0});
  refused({.weight_decay = -1.0});
  refused({.validation_fraction = 1.0});
  refused({.augment = true});
  TorchNetwork network = dense(sample.signature);
  EXPECT_THROW(train_network(network, {"none", sample.dataset.inputs, {}}, {}, {}), core::DataError);
}

}  // namespace
}  // namespace accrete::deep::train_test
