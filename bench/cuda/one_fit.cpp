// Seconds of one fit by a whole GPU and by the CPU, and their training losses.
//
//   ./dev bench one_fit DATA[,DATA...] [--preset NAME] [--set name=value]... [--seeds N] [--threads N] [--one-core 0]
//                       [--without fixed_kernels|tiles]
//
// DATA is FILE.csv, NAME:ROWS of a generator of accrete data make, or clouds:ROWS:FEATURES:CLASSES. The default is the
// size of Covertype with two and with seven classes, all features per step and 40 units. Parameters are not tuned.
// Times are medians over the seeds, from encoded rows to a network in host memory; a second line has the rate at which
// the kernels read features, if the GPU runs whole steps (at most 4 units and 12 outputs, no bins). --one-core 0 skips
// the fit on one CPU core.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <string>
#include <vector>

#include "accrete/backend/cuda/device.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/step.hpp"
#include "accrete/config/draw_size.hpp"
#include "accrete/config/parameters.hpp"
#include "bench/cuda/data.hpp"

namespace accrete::bench {
namespace {

constexpr const char* covertype_sizes = "clouds:500000:54:2,clouds:500000:54:7";

struct FitTimes {
  std::vector<double> seconds;
  double loss = 0.0;  ///< mean over the seeds

  double median() {
    std::ranges::sort(seconds);
    return seconds[seconds.size() / 2];
  }
};

/// One fit per seed, on the device or, if null, on the CPU.
FitTimes fit(const boosting::PreparedFit& prepared, const Arguments& options, backend::FitDevice* device,
             core::Workers& workers) {
  FitTimes fits;
  for (std::size_t seed = 0; seed < options.numbers.at("--seeds"); ++seed) {
    config::ResolvedConfig config = prepared.config;
    config.seed = seed;
    const std::size_t outputs = prepared.model.network.outputs();
    const boosting::TrainTask task{
        .config = config, .data = prepared.train, .outputs = outputs, .workers = workers, .device = device};
    const auto start = std::chrono::steady_clock::now();
    const auto trained = boosting::train(task, prepared.model.network, {}, {});
    fits.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    fits.loss += trained.curves.train.back() / static_cast<double>(options.numbers.at("--seeds"));
  }
  return fits;
}

/// The rate at which evaluations read features, each counted once, and its share of the copy bandwidth.
void print_bandwidth(const boosting::PreparedFit& prepared, backend::FitDevice& device) {
  const auto start = prepared.model.network.bias_after(0);
  const config::ResolvedConfig& config = prepared.config;
  const auto fit = device.begin(prepared.train, config, start);
  fit->grow(config.units / config.units_per_step);
  const auto [evaluations, seconds] = fit->cost();
  const double bytes = 4.0 * static_cast<double>(config::rows_per_step(config, prepared.train.rows())) *
                       static_cast<double>(config::features_per_step(config, prepared.train.features.cols()));
  const double rate = bytes * static_cast<double>(evaluations) / seconds, copy = cuda::copy_bandwidth();
  fmt::print(
      "  {} evaluations in {:.4g} s by the device's clock: features at {:.3g} GB/s, {:.0f} % of a copy's {:.4g}\n",
      evaluations, seconds, 1e-9 * rate, 100.0 * rate / copy, 1e-9 * copy);
}

void run_one(const Arguments& options) {
  core::Workers all(options.numbers.at("--threads")), one(1);
  const data::Table table = read_data(options.data, all);
  boosting::FitOptions fit_options;
  fit_options.preset = options.preset;
  fit_options.config = config::parse_settings(options.settings);
  fit_options.config.automatic = false;
  const boosting::PreparedFit prepared = boosting::prepare_fit(table, fit_options);
  const auto device = cuda::open(options.enabled);
  {
    Arguments first = options;  // initialises the device
    first.numbers["--seeds"] = 1;
    fit(prepared, first, device.get(), all);
  }
  FitTimes gpu = fit(prepared, options, device.get(), all), cpu = fit(prepared, options, nullptr, all);
  std::string one_core;
  if (options.numbers.at("--one-core") > 0)
    one_core = fmt::format(", {:.3g} s on one", fit(prepared, options, nullptr, one).median());
  fmt::print(
      "{} {}x{} J={} units={} {}: {:.3g} s on the GPU, {:.3g} s on {} CPU threads{}; training loss {:.6g} and {:.6g}, "
      "ratio {:.4f}\n",
      options.data_name(), prepared.train.rows(), prepared.train.features.cols(), prepared.config.units_per_step,
      prepared.config.units, options.preset, gpu.median(), cpu.median(), all.threads(), one_core, gpu.loss, cpu.loss,
      gpu.loss / cpu.loss);
  if (device->runs_steps(prepared.train.features, prepared.config, prepared.model.network.outputs()))
    print_bandwidth(prepared, *device);
}

void run(const Arguments& options) {
  Arguments one = options;
  if (options.data == covertype_sizes) {
    const config::Setting features{"feature_fraction", "1"}, units{"units", "40"};
    one.settings.insert(one.settings.begin(), {features, units});
  }
  for (std::istringstream words(options.data); std::getline(words, one.data, ',');) run_one(one);
}

}  // namespace
}  // namespace accrete::bench

int main(int argc, char** argv) {
  return accrete::bench::run_with(
      argc, argv, {"default", {{"--seeds", 3}, {"--threads", 0}, {"--one-core", 1}}, accrete::bench::covertype_sizes},
      accrete::bench::run);
}
