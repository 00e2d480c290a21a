#pragma once
// What the tests on a GPU share. Where there is none each of them says so and is skipped.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "accrete/backend/cuda/device.hpp"
#include "accrete/boosting/load.hpp"
#include "accrete/core/error.hpp"
#include "accrete/data/generate.hpp"

namespace accrete::cuda {

using backend::FitScores;
using backend::WholeFit;
using Settings = std::vector<boosting::Setting>;

/// How much a test does: all of it, or, where ACCRETE_SMALL_TESTS is set, so much that it goes the same ways. Under a
/// tool that looks at every access to memory (tests/cuda/sanitize.sh) fits take hundreds of times as long.
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

  /// Rows of a generator, three of four to train on, and the settings' fit for some seeds.
  struct Fits {
    data::Table table;
    boosting::FitOptions options;
    std::vector<backend::SharedRows> rows;
    std::vector<WholeFit> fits;
  };

  static Fits make(const char* data, std::size_t rows, const char* preset, const Settings& settings,
                   std::size_t seeds) {
    return make(data::generator_named(data).make(rows, 5), {}, preset, settings, seeds);
  }

  /// So many targets: the generator's, and others with more and more of a feature in them.
  static Fits make_targets(std::size_t count, std::size_t rows, const char* preset, const Settings& settings,
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
    return make(std::move(table), targets, preset, settings, seeds);
  }

  /// So many classes of about as many rows each, one after the other along the generator's target.
  static Fits make_classes(std::size_t count, std::size_t rows, const char* preset, const Settings& settings,
                           std::size_t seeds) {
    data::Table table = data::generator_named("friedman1").make(rows, 5);
    data::Column& target = table.columns.back();
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t r) { return target.numbers[r]; });
    target = {target.name, data::Column::Kind::text, {}, std::vector<std::int32_t>(rows), {}, {}};
    for (std::size_t k = 0; k < count; ++k) target.levels.push_back("class " + std::to_string(k));
    for (std::size_t i = 0; i < rows; ++i) target.codes[order[i]] = static_cast<std::int32_t>(i * count / rows);
    return make(std::move(table), {}, preset, settings, seeds);
  }

  static Fits make(data::Table table, const std::vector<std::string>& targets, const char* preset,
                   const Settings& settings, std::size_t seeds) {
    Fits made{std::move(table), {}, {}, {}};
    made.options.targets = targets;
    made.options.preset = preset;
    made.options.overrides = settings;
    made.options.overrides.emplace_back("auto", "off");
    made.options.overrides.emplace_back("gauss_newton", "off");  // the same solver on either side
    const auto is_said = [](const boosting::Setting& setting) { return setting.first == "max_iter"; };
    if (small_tests() && std::ranges::none_of(settings, is_said)) made.options.overrides.emplace_back("max_iter", "6");
    std::vector<std::size_t> test;
    for (std::size_t r = 0; r < made.table.rows(); ++r) (r % 4 == 3 ? test : made.options.rows).push_back(r);
    boosting::Prepared prepared = boosting::prepare_fit(made.table, made.options);
    data::Features encoded = prepared.model.encoder.encode(made.table, test);
    made.rows.push_back({std::move(prepared.train), std::move(encoded)});
    const auto bias = prepared.model.network.bias_after(0);
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      WholeFit& fit = made.fits.emplace_back(WholeFit{0, prepared.config, {bias.begin(), bias.end()}, {}});
      fit.config.seed = seed;
      fit.prefixes = {fit.config.units / fit.config.units_per_step};
    }
    return made;
  }

  std::vector<FitScores> on_device(const Fits& made) {
    std::vector<FitScores> all(made.fits.size());
    backend::FitsWatch watch;
    watch.done = [&](std::size_t f, const FitScores& scores) { all[f] = scores; };
    EXPECT_TRUE(device_->fit(made.rows, made.fits, watch));
    return all;
  }

  /// In training units, as the device has it.
  static double on_cpu(const Fits& made, std::size_t seed) {
    boosting::FitOptions options = made.options;
    options.overrides.emplace_back("seed", std::to_string(seed));
    const auto model = boosting::fit(made.table, options).model;
    const double scale = model.target_scale.size() == 1 ? model.target_scale[0] : 1.0;
    return model.provenance.train_loss.back() / model.loss.in_target_units(1.0, scale);
  }

  /// Over the seeds, fit by fit, the losses differ from the CPU's by no more than chance.
  static void expect_the_cpus_losses(const Fits& made, const std::vector<FitScores>& scores, const std::string& name) {
    const double seeds = static_cast<double>(scores.size());
    double sum = 0.0, squares = 0.0;
    for (std::size_t seed = 0; seed < scores.size(); ++seed) {
      const double ratio = std::log(scores[seed].train_loss / on_cpu(made, seed));
      sum += ratio;
      squares += ratio * ratio;
    }
    const double mean = sum / seeds, error = std::sqrt((squares / seeds - mean * mean) / (seeds - 1));
    EXPECT_LT(error, 0.03) << name;
    EXPECT_NEAR(mean, 0.0, 3.5 * error + 1e-4) << name;
  }

  std::unique_ptr<backend::ManyFits> device_;
};

}  // namespace accrete::cuda
