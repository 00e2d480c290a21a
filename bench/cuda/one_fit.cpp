// One fit on a whole GPU beside the CPU's, at the same training loss.
//
//   ./dev bench one_fit FILE.csv|NAME:ROWS [--preset NAME] [--set name=value]... [--seeds N] [--threads N]
//
// NAME:ROWS is data of one of the generators of accrete data make. Settings are not chosen. Times are from encoded rows
// in host memory to a network in host memory, each the median over the seeds.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "accrete/backend/cuda/device.hpp"
#include "accrete/boosting/load.hpp"
#include "bench/cuda/data.hpp"

namespace accrete::bench {
namespace {

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

void run(const Arguments& options) {
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
  Fits gpu = fit(prepared, options, machine.get(), all), cpu = fit(prepared, options, nullptr, all),
       core = fit(prepared, options, nullptr, one);
  fmt::print(
      "{} {}x{} J={} units={} {}: {:.3g} s on the GPU, {:.3g} s on {} CPU threads, {:.3g} s on one; training loss "
      "{:.6g} and {:.6g}, ratio {:.4f}\n",
      options.data_name(), prepared.train.rows(), prepared.train.features.cols(),
      prepared.config.units_per_step, prepared.config.units, options.preset, gpu.median(), cpu.median(), all.threads(),
      core.median(), gpu.loss, cpu.loss, gpu.loss / cpu.loss);
}

}  // namespace
}  // namespace accrete::bench

int main(int argc, char** argv) {
  return accrete::bench::run_with(argc, argv, {"default", {{"--seeds", 3}, {"--threads", 0}}}, accrete::bench::run);
}
