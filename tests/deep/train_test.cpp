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

Network dense(const Purpose& purpose, std::uint64_t seed = 0) {
  return make_backbone(read_architecture("dense:16,16"), purpose, seed);
}

/// 8 x 8 images with a bright left or right half, or none.
Examples halves(std::int64_t count, std::int64_t channels) {
  torch::Tensor images = torch::randint(0, 100, {count, channels, 8, 8}, torch::kUInt8);
  torch::Tensor labels = torch::arange(count, torch::kInt64).remainder(3);
  for (std::int64_t i = 0; i < count; ++i)
    if (i % 3 < 2) images[i].slice(2, 4 * (i % 3), 4 * (i % 3) + 4) += 120;
  return {"halves", images, labels};
}

double accuracy(Network& network, const Examples& examples) {
  const torch::Tensor given = network.module.forward({examples.inputs}).toTensor();
  return given.argmax(1).eq(examples.targets).to(torch::kFloat64).mean().item<double>();
}

TEST_F(Train, LearnsCircleWithBothSolvers) {
  const auto sample = circle(600);
  for (const char* solver : {"adam", "sgd"}) {
    Network network = dense(sample.purpose);
    train_network(network, sample.examples, {.solver = solver, .epochs = 60, .batch = 32, .learning_rate = 0.01}, {});
    EXPECT_GT(accuracy(network, sample.examples), 0.95) << solver;
    const auto& record = network.record["training"];
    ASSERT_EQ(record["train_loss"].size(), 60u);
    EXPECT_LT(record["train_loss"].back(), 0.5 * record["train_loss"].front().get<double>());
    EXPECT_EQ(record["solver"], solver);
    EXPECT_EQ(record["epochs"], 60);
    EXPECT_GT(record["seconds"], 0.0);
  }
}

TEST_F(Train, LearnsRegressionInItsOwnUnits) {
  const torch::Tensor inputs = torch::randn({400, 2}, at::make_generator<at::CPUGeneratorImpl>(1));
  Purpose purpose = deep_test::table_purpose(inputs, {});
  const Examples examples{"plane", inputs, 500.0 + 30.0 * (inputs.select(1, 0) - 2.0 * inputs.select(1, 1))};
  purpose.shift = examples.targets.mean().item<double>();
  purpose.scale = examples.targets.std().item<double>();
  Network network = dense(purpose);
  train_network(network, examples, {.epochs = 60, .batch = 32, .learning_rate = 0.01}, {});
  const torch::Tensor given = network.module.forward({inputs}).toTensor().squeeze(1);
  EXPECT_LT((given - examples.targets).pow(2).mean().sqrt().item<double>(), 0.1 * purpose.scale);
  EXPECT_TRUE(network.record["training"]["train_accuracy"].empty());
}

TEST_F(Train, CnnLearnsImages) {
  for (const std::int64_t channels : {1, 3}) {
    const Examples examples = halves(96, channels);
    Network network = make_backbone(read_architecture("cnn"), deep_test::images_purpose(channels, 8, 3), 0);
    train_network(network, examples, {.epochs = 12, .batch = 16, .augment = channels == 1}, {});
    EXPECT_GT(accuracy(network, examples), 0.9) << channels;
  }
}

TEST_F(Train, SameSeedSameBits) {
  const Examples examples = halves(48, 3);
  const auto trained = [&](std::uint64_t seed) {
    Network network = make_backbone(read_architecture("cnn"), deep_test::images_purpose(3, 8, 3), 5);
    train_network(network, examples, {.epochs = 2, .batch = 16, .augment = true, .seed = seed}, {});
    return network;
  };
  const Network first = trained(1);
  torch::rand({17});  // the process's own generator has moved on
  EXPECT_TRUE(same_weights(first, trained(1)));
  EXPECT_FALSE(same_weights(first, trained(2)));
}

TEST_F(Train, StoppedAndResumedIsUnbroken) {
  const Examples examples = halves(60, 1);
  for (const char* solver : {"sgd", "adam"}) {
    const Training training{.solver = solver, .epochs = 4, .batch = 16, .validation_fraction = 0.2, .augment = true};
    const auto made = [] { return make_backbone(read_architecture("cnn"), deep_test::images_purpose(1, 8, 3), 0); };
    Network unbroken = made(), broken = made(), resumed = made();
    train_network(unbroken, examples, training, {});
    // In the middle of the third epoch: what counts is the end of the second.
    TrainingCallbacks watch;
    watch.batches = [](std::int64_t done, std::int64_t all) {
      EXPECT_EQ(all, 12);
      return done < 7;
    };
    train_network(broken, examples, training, watch, path("checkpoint"));
    EXPECT_EQ(broken.record["training"]["epochs"], 2);
    EXPECT_FALSE(same_weights(unbroken, broken));
    train_network(resumed, examples, training, {}, path("checkpoint"), true);
    EXPECT_TRUE(same_weights(unbroken, resumed)) << solver;
    EXPECT_EQ(unbroken.record["training"]["train_loss"], resumed.record["training"]["train_loss"]);
    EXPECT_EQ(unbroken.record["training"]["validation_loss"], resumed.record["training"]["validation_loss"]);
  }
}

TEST_F(Train, CheckpointOfSomethingElseIsRefused) {
  const auto sample = circle(50);
  Network network = dense(sample.purpose);
  const Training training{.epochs = 1};
  train_network(network, sample.examples, training, {}, path("checkpoint"));
  const auto go_on = [&](const Examples& examples, const Training& how, const char* file) {
    Network fresh = dense(sample.purpose);
    train_network(fresh, examples, how, {}, path(file), true);
  };
  EXPECT_NO_THROW(go_on(sample.examples, {.epochs = 2}, "checkpoint"));
  EXPECT_THROW(go_on(sample.examples, {.epochs = 3, .batch = 64}, "checkpoint"), core::UsageError);
  EXPECT_THROW(go_on({"circle", sample.examples.inputs + 1.0, sample.examples.targets}, {.epochs = 3}, "checkpoint"),
               core::UsageError);
  std::ofstream(path("rubbish")) << "rubbish";
  EXPECT_THROW(go_on(sample.examples, training, "rubbish"), core::FileError);
  EXPECT_THROW(go_on(sample.examples, training, "none"), core::FileError);
}

TEST_F(Train, ValidationPartIsWatchedAndNotTrainedOn) {
  auto sample = circle(200);
  Network network = dense(sample.purpose);
  std::vector<Epoch> seen;
  TrainingCallbacks watch;
  watch.epoch = [&](const Epoch& epoch) {
    seen.push_back(epoch);
    return epoch.epoch < 2;
  };
  train_network(network, sample.examples, {.epochs = 5, .validation_fraction = 0.25}, watch);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_TRUE(std::isfinite(seen[0].validation_loss));
  EXPECT_GT(seen[0].validation_accuracy, 0.0);
  EXPECT_EQ(network.record["training"]["epochs"], 2);
}

TEST_F(Train, WithoutValidationThereIsNone) {
  const auto sample = circle(40);
  Network network = dense(sample.purpose);
  TrainingCallbacks watch;
  watch.epoch = [&](const Epoch& epoch) {
    EXPECT_TRUE(std::isnan(epoch.validation_loss));
    return true;
  };
  train_network(network, sample.examples, {.epochs = 1}, watch);
  EXPECT_TRUE(network.record["training"]["validation_loss"].empty());
}

TEST_F(Train, DivergenceIsSaid) {
  const auto sample = circle(100);
  Network network = dense(sample.purpose);
  EXPECT_THROW(train_network(network, sample.examples, {.solver = "sgd", .epochs = 50, .learning_rate = 1e12}, {}),
               core::DataError);
}

TEST_F(Train, SettingsOutOfRangeAreRefused) {
  const auto sample = circle(40);
  const auto refused = [&](const Training& training) {
    Network network = dense(sample.purpose);
    EXPECT_THROW(train_network(network, sample.examples, training, {}), core::UsageError);
  };
  refused({.solver = "lbfgs"});
  refused({.epochs = 0});
  refused({.batch = 0});
  refused({.learning_rate = -1.0});
  refused({.momentum = 1.0});
  refused({.weight_decay = -1.0});
  refused({.validation_fraction = 1.0});
  refused({.augment = true});
  Network network = dense(sample.purpose);
  EXPECT_THROW(train_network(network, {"none", sample.examples.inputs, {}}, {}, {}), core::DataError);
}

}  // namespace
}  // namespace accrete::deep::train_test
