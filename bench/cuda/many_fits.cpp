// Whole fits per second on a GPU beside this CPU, at the same training loss.
//
//   ./dev bench many_fits FILE.csv|NAME:ROWS [--preset NAME] [--set name=value]... [--fits N] [--cpu N] [--pairs N]
//
// Four of five rows train, the others are scored. Fits differ by their seed alone, and those of the CPU are among those
// of the GPU: their training losses are held against each other. The first --cpu fits are timed, one after the other on
// one core; so many that --pairs are done are then done on all cores.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "accrete/backend/cuda/device.hpp"
#include "accrete/boosting/load.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/preset.hpp"
#include "accrete/data/split.hpp"
#include "bench/cuda/data.hpp"

namespace accrete::bench {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The same fit for every seed, on four of five rows.
boosting::FitOptions fit_options(const Arguments& options, const data::Table& table) {
  boosting::FitOptions fit;
  fit.preset = options.preset;
  fit.overrides = options.settings;
  fit.overrides.emplace_back("auto", "off");
  fit.overrides.emplace_back("gauss_newton", "off");  // the same solver on either side
  for (std::size_t r = 0; r < table.rows(); ++r)
    if (r % 5 != 4) fit.rows.push_back(r);
  return fit;
}

/// A few fits of the paper's settings diverge, on either side, and would be all that is seen of a mean.
double median(std::vector<double> of) {
  std::ranges::sort(of);
  return of.empty() ? 0.0 : 0.5 * (of[(of.size() - 1) / 2] + of[of.size() / 2]);
}

/// Those that did: they end at many times the loss of the others.
std::size_t count_diverged(const std::vector<double>& losses) {
  const double most = 100.0 * median(losses);
  return static_cast<std::size_t>(std::ranges::count_if(losses, [&](double loss) { return !(loss <= most); }));
}

/// In training units, as the GPU has it.
double loss_on_cpu(const data::Table& table, boosting::FitOptions fit, std::size_t seed) {
  core::Workers one(1);
  fit.overrides.emplace_back("seed", std::to_string(seed));
  fit.workers = &one;
  const auto fitted = boosting::fit(table, fit);
  const double scale = fitted.model.target_scale.size() == 1 ? fitted.model.target_scale[0] : 1.0;
  return fitted.model.provenance.train_loss.back() / fitted.model.loss.in_target_units(1.0, scale);
}

struct CpuFits {
  std::vector<double> losses;
  double seconds_each = 0.0;  ///< of those that were timed
};

/// The first ones one after the other on one core, the others on all.
CpuFits fit_on_cpu(const data::Table& table, const boosting::FitOptions& options, std::size_t timed, std::size_t all) {
  CpuFits result;
  result.losses.resize(std::max(timed, all));
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t seed = 0; seed < timed; ++seed) result.losses[seed] = loss_on_cpu(table, options, seed);
  result.seconds_each = seconds_since(start) / static_cast<double>(std::max<std::size_t>(timed, 1));
  core::Workers workers;
  workers.run(result.losses.size() - timed,
              [&](std::size_t i) { result.losses[timed + i] = loss_on_cpu(table, options, timed + i); });
  return result;
}

/// Of the logarithms of mine over theirs, seed by seed: their mean, and its standard error.
struct Ratio {
  double mean, error;
};
Ratio compare(const std::vector<double>& mine, const std::vector<double>& theirs) {
  const double count = static_cast<double>(theirs.size());
  double sum = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const double ratio = std::log(mine[i] / theirs[i]);
    sum += ratio;
    squares += ratio * ratio;
  }
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(squares / count - mean * mean, 0.0) / std::max(count - 1.0, 1.0))};
}

void run(const Arguments& options) {
  core::Workers workers;
  const data::Table table = read_data(options.data, workers);
  const auto base = fit_options(options, table);
  boosting::Prepared prepared = boosting::prepare_fit(table, base);
  std::vector<std::size_t> test;
  for (std::size_t r = 4; r < table.rows(); r += 5) test.push_back(r);
  std::vector<backend::SharedRows> rows;
  data::Features test_features = prepared.model.encoder.encode(table, test);
  rows.push_back({std::move(prepared.train), std::move(test_features)});
  std::vector<backend::WholeFit> fits;
  const auto bias = prepared.model.network.bias_after(0);
  for (std::size_t seed = 0; seed < options.numbers.at("--fits"); ++seed) {
    backend::WholeFit fit{0, prepared.config, {bias.begin(), bias.end()}, {}};
    fit.config.seed = seed;
    fit.prefixes = {fit.config.units / fit.config.units_per_step};
    fits.push_back(std::move(fit));
  }
  const auto machine = cuda::open();
  std::vector<double> losses(fits.size());
  backend::FitsWatch watch;
  watch.done = [&](std::size_t f, const backend::FitScores& scores) { losses[f] = scores.train_loss; };
  machine->fit(rows, std::span(fits).first(1), watch);  // wakes the device
  double on_device = 0.0;
  watch.launched = [&](double seconds) { on_device += seconds; };
  const auto start = std::chrono::steady_clock::now();
  machine->fit(rows, fits, watch);
  const double seconds = seconds_since(start);
  const auto at_most = [&](const char* flag) { return std::min(options.numbers.at(flag), fits.size()); };
  const CpuFits cpu = fit_on_cpu(table, base, at_most("--cpu"), at_most("--pairs"));
  const std::size_t diverged = count_diverged(losses);
  losses.resize(cpu.losses.size());
  const double mine = median(losses), theirs = median(cpu.losses);
  const Ratio ratio = compare(losses, cpu.losses);
  fmt::print(
      "{} {}x{} J={} units={} rate={} subsample={}: {:.0f} fits/s on the GPU ({:.3g} s, of which kernels {:.3g} "
      "by the device's clock), {:.1f} per CPU core; "
      "training loss (median of {}) {:.6g} and {:.6g}, ratio {:.4f}; "
      "mean of the ratios' logarithms {:.4f} +- {:.4f}; diverged {} of {} and {} of {}\n",
      options.data_name(), rows[0].train.rows(), rows[0].train.features.cols(), prepared.config.units_per_step,
      prepared.config.units, prepared.config.learning_rate, prepared.config.subsample,
      static_cast<double>(fits.size()) / seconds, seconds, on_device, 1.0 / cpu.seconds_each, losses.size(), mine,
      theirs, mine / theirs, ratio.mean, ratio.error, diverged, fits.size(), count_diverged(cpu.losses),
      cpu.losses.size());
}

}  // namespace
}  // namespace accrete::bench

int main(int argc, char** argv) {
  return accrete::bench::run_with(argc, argv, {"paper", {{"--fits", 4000}, {"--cpu", 16}, {"--pairs", 0}}},
                                  accrete::bench::run);
}
