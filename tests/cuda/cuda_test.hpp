#pragma once
// Fixture of the tests that need a GPU. Without one they are skipped.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "accrete/backend/cuda/device.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/train.hpp"
#include "accrete/core/error.hpp"
#include "accrete/data/generate.hpp"

namespace accrete::cuda {

using backend::FitRequest;
using backend::FitScores;

/// With ACCRETE_SMALL_TESTS, tests take the same branches with less work: under compute-sanitizer (sanitize.sh) fits
/// take hundreds of times as long.
inline bool small_tests() {
  return std::getenv("ACCRETE_SMALL_TESTS") != nullptr;
}
template <class T>
T full_or_small(T full, T small) {
  return small_tests() ? small : full;
}

class CudaTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      device_ = open();
    } catch (const core::Error& error) {
      GTEST_SKIP() << error.what();
    }
  }

  /// A table, three of four rows of it for training, and the same fit with several seeds.
  struct FitSet {
    data::Table table;
    boosting::FitOptions options;
    std::vector<backend::SharedData> rows;
    std::vector<FitRequest> fits;
  };

  static FitSet make(const char* data, std::size_t rows, const char* preset, const config::Config& given,
                     std::size_t seeds) {
    return make(data::generator_named(data).make(rows, 5), {}, preset, given, seeds);
  }

  /// Several targets: friedman1's, and others that depend more and more on one feature.
  static FitSet make_targets(std::size_t count, std::size_t rows, const char* preset, const config::Config& given,
                             std::size_t seeds) {
    data::Table table = data::generator_named("friedman1").make(rows, 5);
    const data::Column first = table.columns.back();
    std::vector<std::string> targets{first.name};
    for (std::size_t t = 1; t < count; ++t) {
      data::Column more = first;
      more.name = targets.emplace_back("target " + std::to_string(t));
      more.exact.clear();
      for (std::size_t r = 0; r < rows; ++r) more.numbers[r] += float(2 * t) * table.columns[t % 10].numbers[r];
      table.columns.push_back(std::move(more));
    }
    return make(std::move(table), targets, preset, given, seeds);
  }

  /// Classes of about equal size: intervals of friedman1's target.
  static FitSet make_classes(std::size_t count, std::size_t rows, const char* preset, const config::Config& given,
                             std::size_t seeds) {
    data::Table table = data::generator_named("friedman1").make(rows, 5);
    data::Column& target = table.columns.back();
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t r) { return target.numbers[r]; });
    target = {target.name, data::Column::Kind::text, {}, std::vector<std::int32_t>(rows), {}, {}};
    for (std::size_t k = 0; k < count; ++k) target.levels.push_back("class " + std::to_string(k));
    for (std::size_t i = 0; i < rows; ++i) target.codes[order[i]] = static_cast<std::int32_t>(i * count / rows);
    return make(std::move(table), {}, preset, given, seeds);
  }

  static FitSet make(data::Table table, const std::vector<std::string>& targets, const char* preset,
                     const config::Config& given, std::size_t seeds) {
    FitSet set{std::move(table), {}, {}, {}};
    set.options.targets = targets;
    set.options.preset = preset;
    set.options.config = given;
    set.options.config.automatic = false;
    set.options.config.gauss_newton = false;  // the same solver on either side
    if (small_tests() && !given.max_iter) set.options.config.max_iter = 6;
    std::vector<std::size_t> test;
    for (std::size_t r = 0; r < set.table.rows(); ++r) (r % 4 == 3 ? test : set.options.rows).push_back(r);
    boosting::PreparedFit prepared = boosting::prepare_fit(set.table, set.options);
    data::Features encoded = prepared.model.encoder.encode(set.table, test);
    set.rows.push_back({std::move(prepared.train), std::move(encoded)});
    const auto bias = prepared.model.network.bias_after(0);
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      FitRequest& fit = set.fits.emplace_back(FitRequest{0, prepared.config, {bias.begin(), bias.end()}, {}});
      fit.config.seed = seed;
      fit.prefixes = {fit.config.units / fit.config.units_per_step};
    }
    return set;
  }

  std::vector<FitScores> fit_on_device(const FitSet& set) {
    std::vector<FitScores> all(set.fits.size());
    backend::FitCallbacks callbacks;
    callbacks.done = [&](std::size_t f, const FitScores& scores) { all[f] = scores; };
    EXPECT_TRUE(device_->fit(set.rows, set.fits, callbacks));
    return all;
  }

  /// Losses after 0, 1, 2, ... steps of one fit by the training loop. device: runs or evaluates the steps; null: the
  /// CPU.
  static std::vector<double> losses(const FitSet& set, std::size_t fit, backend::FitDevice* device) {
    const FitRequest& request = set.fits[fit];
    const data::Dataset& train = set.rows[0].train;
    core::Workers workers(2);
    const boosting::TrainTask task{
        .config = request.config, .data = train, .outputs = request.start.size(), .workers = workers, .device = device};
    network::Network start(train.features.cols(), activation::Activation::named(request.config.activation),
                           request.start);
    return boosting::train(task, std::move(start), {}, {}).curves.train;
  }

  /// Training loss of the CPU's fit, in training units as on the device.
  static double cpu_loss(const FitSet& set, std::size_t seed) {
    boosting::FitOptions options = set.options;
    options.config.seed = seed;
    const auto model = boosting::fit(set.table, options).model;
    const double scale = model.target_scale.size() == 1 ? model.target_scale[0] : 1.0;
    return model.provenance.train_loss.back() / model.loss.in_target_units(1.0, scale);
  }

  /// The log ratio of the losses to the CPU's, over the seeds, has mean 0 within 3.5 standard errors.
  static void expect_cpu_losses(const FitSet& set, const std::vector<FitScores>& scores, const std::string& name) {
    const double seeds = static_cast<double>(scores.size());
    double sum = 0.0, squares = 0.0;
    for (std::size_t seed = 0; seed < scores.size(); ++seed) {
      const double ratio = std::log(scores[seed].train_loss / cpu_loss(set, seed));
      sum += ratio;
      squares += ratio * ratio;
    }
    const double mean = sum / seeds, error = std::sqrt((squares / seeds - mean * mean) / (seeds - 1));
    EXPECT_LT(error, 0.03) << name;
    EXPECT_NEAR(mean, 0.0, 3.5 * error + 1e-4) << name;
  }

  std::unique_ptr<backend::FitDevice> device_;
};

}  // namespace accrete::cuda
