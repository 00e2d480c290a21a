// One fit on a whole GPU beside the CPU's, at the same training loss.
//
//   ./dev bench one_fit DATA[,DATA...] [--preset NAME] [--set name=value]... [--seeds N] [--threads N] [--lone 0]
//
// DATA is FILE.csv, NAME:ROWS of one of the generators of accrete data make, or clouds:ROWS:FEATURES:CLASSES; without
// any it is clouds of the size of Covertype, of two classes and of seven, all features a step and 40 units. Settings
// are not chosen. Times are from encoded rows in host memory to a network in host memory, each the median over the
// seeds; a second line says how fast the features were read. --lone 0 leaves the single CPU core out.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <string>
#include <vector>

#include "accrete/backend/cuda/device.hpp"
#include "accrete/boosting/load.hpp"
#include "accrete/boosting/step.hpp"
#include "bench/cuda/data.hpp"

namespace accrete::bench {
namespace {

constexpr const char* large = "clouds:500000:54:2,clouds:500000:54:7";

struct Fits {
  std::vector<double> seconds;
  double loss = 0.0;  ///< mean of the seeds

  double median() {
    std::ranges::sort(seconds);
    return seconds[seconds.size() / 2];
  }
};

/// One network for each seed, by the machine or, without one, by the CPU.
Fits fit(const boosting::Prepared& prepared, const Arguments& options, backend::ManyFits* machine,
         core::Workers& workers) {
  Fits fits;
  for (std::size_t seed = 0; seed < options.numbers.at("--seeds"); ++seed) {
    boosting::Config config = prepared.config;
    config.seed = seed;
    const std::size_t outputs = prepared.model.network.outputs();
    const boosting::TrainTask task{config, prepared.train, outputs, nullptr, "cpu", workers, {}, machine};
    const auto start = std::chrono::steady_clock::now();
    const auto trained = boosting::train(task, prepared.model.network, {}, {});
    fits.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    fits.loss += trained.curves.train.back() / static_cast<double>(options.numbers.at("--seeds"));
  }
  return fits;
}

/// How much of the memory's speed the kernels use: the features that evaluations look at, each counted once.
void print_bandwidth(const boosting::Prepared& prepared, backend::ManyFits& machine) {
  const auto start = prepared.model.network.bias_after(0);
  const boosting::Config& config = prepared.config;
  const auto fit = machine.begin(prepared.train, config, start);
  fit->grow(config.units / config.units_per_step);
  const auto [evaluations, seconds] = fit->effort();
  const double bytes = 4.0 * static_cast<double>(boosting::rows_of_a_step(config, prepared.train.rows())) *
                       static_cast<double>(boosting::features_of_a_step(config, prepared.train.features.cols()));
  const double speed = bytes * static_cast<double>(evaluations) / seconds, most = cuda::copy_bandwidth();
  fmt::print(
      "  {} evaluations in {:.3g} s by the device's clock: features at {:.3g} GB/s, {:.0f} % of a copy's {:.4g}\n",
      evaluations, seconds, 1e-9 * speed, 100.0 * speed / most, 1e-9 * most);
}

void run_one(const Arguments& options) {
  core::Workers all(options.numbers.at("--threads")), one(1);
  const data::Table table = read_data(options.data, all);
  boosting::FitOptions how;
  how.preset = options.preset;
  how.overrides = options.settings;
  how.overrides.emplace_back("auto", "off");
  const boosting::Prepared prepared = boosting::prepare_fit(table, how);
  const auto machine = cuda::open();
  {
    Arguments first = options;  // wakes the device
    first.numbers["--seeds"] = 1;
    fit(prepared, first, machine.get(), all);
  }
  Fits gpu = fit(prepared, options, machine.get(), all), cpu = fit(prepared, options, nullptr, all);
  std::string lone;
  if (options.numbers.at("--lone") > 0)
    lone = fmt::format(", {:.3g} s on one", fit(prepared, options, nullptr, one).median());
  fmt::print(
      "{} {}x{} J={} units={} {}: {:.3g} s on the GPU, {:.3g} s on {} CPU threads{}; training loss {:.6g} and {:.6g}, "
      "ratio {:.4f}\n",
      options.data_name(), prepared.train.rows(), prepared.train.features.cols(), prepared.config.units_per_step,
      prepared.config.units, options.preset, gpu.median(), cpu.median(), all.threads(), lone, gpu.loss, cpu.loss,
      gpu.loss / cpu.loss);
  print_bandwidth(prepared, *machine);
}

void run(const Arguments& options) {
  Arguments part = options;
  if (options.data == large) {
    const boosting::Setting all{"feature_fraction", "1"}, few{"units", "40"};
    part.settings.insert(part.settings.begin(), {all, few});
  }
  for (std::istringstream words(options.data); std::getline(words, part.data, ',');) run_one(part);
}

}  // namespace
}  // namespace accrete::bench

int main(int argc, char** argv) {
  return accrete::bench::run_with(argc, argv,
                                  {"default", {{"--seeds", 3}, {"--threads", 0}, {"--lone", 1}}, accrete::bench::large},
                                  accrete::bench::run);
}
