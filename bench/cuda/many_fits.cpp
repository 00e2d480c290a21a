// Fits per second on a GPU and on one CPU core, and their training losses.
//
//   ./dev bench many_fits FILE.csv|NAME:ROWS [--preset NAME] [--set name=value]... [--fits N] [--cpu N] [--pairs N]
//                         [--without fixed_kernels|warp_kernels|single_pass|tiles]
//
// Four of five rows train, the others are scored. Fits differ only in their seed. The CPU times the first --cpu fits on
// one core, and runs more on all cores until --pairs fits can be compared with the GPU's. --without disables a special
// pass (docs/gpu.md).

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "accrete/backend/cuda/device.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/config/parameters.hpp"
#include "accrete/config/preset.hpp"
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
  fit.config = config::parse_settings(options.settings);
  fit.config.automatic = false;
  fit.config.gauss_newton = false;  // the GPU has only L-BFGS
  for (std::size_t r = 0; r < table.rows(); ++r)
    if (r % 5 != 4) fit.rows.push_back(r);
  return fit;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0.0 : 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
}

/// Number of fits whose final loss exceeds 100 times the median.
std::size_t count_diverged(const std::vector<double>& losses) {
  const double max_loss = 100.0 * median(losses);
  return static_cast<std::size_t>(std::ranges::count_if(losses, [&](double loss) { return !(loss <= max_loss); }));
}

/// Loss in training units, as on the GPU.
double loss_on_cpu(const data::Table& table, boosting::FitOptions fit, std::size_t seed) {
  core::Workers one(1);
  fit.config.seed = seed;
  fit.workers = &one;
  const auto fitted = boosting::fit(table, fit);
  const double scale = fitted.model.target_scale.size() == 1 ? fitted.model.target_scale[0] : 1.0;
  return fitted.model.provenance.train_loss.back() / fitted.model.loss.in_target_units(1.0, scale);
}

struct CpuFits {
  std::vector<double> losses;
  double seconds_per_fit = 0.0;  ///< on one core
};

/// Runs the first `timed` fits sequentially on one core, the others on all cores.
CpuFits fit_on_cpu(const data::Table& table, const boosting::FitOptions& options, std::size_t timed, std::size_t all) {
  CpuFits result;
  result.losses.resize(std::max(timed, all));
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t seed = 0; seed < timed; ++seed) result.losses[seed] = loss_on_cpu(table, options, seed);
  result.seconds_per_fit = seconds_since(start) / static_cast<double>(std::max<std::size_t>(timed, 1));
  core::Workers workers;
  workers.run(result.losses.size() - timed,
              [&](std::size_t i) { result.losses[timed + i] = loss_on_cpu(table, options, timed + i); });
  return result;
}

/// Mean and standard error of log(gpu / cpu) over the seeds.
struct LogRatio {
  double mean, error;
};
LogRatio compare(const std::vector<double>& gpu, const std::vector<double>& cpu) {
  const double count = static_cast<double>(cpu.size());
  double sum = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < cpu.size(); ++i) {
    const double ratio = std::log(gpu[i] / cpu[i]);
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
  boosting::PreparedFit prepared = boosting::prepare_fit(table, base);
  std::vector<std::size_t> test;
  for (std::size_t r = 4; r < table.rows(); r += 5) test.push_back(r);
  std::vector<backend::SharedData> rows;
  data::Features test_features = prepared.model.encoder.encode(table, test);
  rows.push_back({std::move(prepared.train), std::move(test_features)});
  std::vector<backend::FitRequest> fits;
  const auto bias = prepared.model.network.bias_after(0);
  for (std::size_t seed = 0; seed < options.numbers.at("--fits"); ++seed) {
    backend::FitRequest fit{0, prepared.config, {bias.begin(), bias.end()}, {}};
    fit.config.seed = seed;
    fit.prefixes = {fit.config.units / fit.config.units_per_step};
    fits.push_back(std::move(fit));
  }
  const auto device = cuda::open(options.enabled);
  std::vector<double> losses(fits.size());
  backend::FitCallbacks callbacks;
  callbacks.done = [&](std::size_t f, const backend::FitScores& scores) { losses[f] = scores.train_loss; };
  device->fit(rows, std::span(fits).first(1), callbacks);  // initialises the device
  double on_device = 0.0;
  callbacks.launched = [&](double seconds) { on_device += seconds; };
  const auto start = std::chrono::steady_clock::now();
  device->fit(rows, fits, callbacks);
  const double seconds = seconds_since(start);
  const auto limited = [&](const char* flag) { return std::min(options.numbers.at(flag), fits.size()); };
  const CpuFits cpu = fit_on_cpu(table, base, limited("--cpu"), limited("--pairs"));
  const std::size_t diverged = count_diverged(losses);
  losses.resize(cpu.losses.size());
  const double gpu_loss = median(losses), cpu_loss = median(cpu.losses);
  const LogRatio ratio = compare(losses, cpu.losses);
  fmt::print(
      "{} {}x{} J={} units={} rate={} subsample={}: {:.0f} fits/s on the GPU ({:.3g} s, of which kernels {:.3g} "
      "by the device's clock), {:.1f} on a CPU core; "
      "training loss (median of {}) {:.6g} and {:.6g}, ratio {:.4f}; "
      "mean log ratio {:.4f} +- {:.4f}; diverged {} of {} and {} of {}\n",
      options.data_name(), rows[0].train.rows(), rows[0].train.features.cols(), prepared.config.units_per_step,
      prepared.config.units, prepared.config.learning_rate, prepared.config.subsample,
      static_cast<double>(fits.size()) / seconds, seconds, on_device, 1.0 / cpu.seconds_per_fit, losses.size(),
      gpu_loss, cpu_loss, gpu_loss / cpu_loss, ratio.mean, ratio.error, diverged, fits.size(),
      count_diverged(cpu.losses), cpu.losses.size());
}

}  // namespace
}  // namespace accrete::bench

int main(int argc, char** argv) {
  return accrete::bench::run_with(argc, argv, {"paper", {{"--fits", 4000}, {"--cpu", 16}, {"--pairs", 0}}},
                                  accrete::bench::run);
}
