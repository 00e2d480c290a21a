// One fit on a whole GPU beside the CPU's, at the same training loss.
//
//   ./dev bench one_fit FILE.csv|NAME:ROWS [--preset NAME] [--set name=value]... [--seeds N] [--threads N]
//
// NAME:ROWS is data of one of the generators of accrete data make. Settings are not chosen. Times are from encoded rows
// in host memory to a network in host memory, each the median over the seeds.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "accrete/backend/cuda/device.hpp"
#include "accrete/boosting/load.hpp"
#include "accrete/core/error.hpp"
#include "bench/cuda/data.hpp"

namespace accrete::bench {
namespace {

struct Options {
  std::string data, preset = "default";
  std::vector<boosting::Setting> settings;
  std::size_t seeds = 3, threads = 0;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (i + 1 >= argc) throw core::UsageError(word + " needs a value");
      return std::string(argv[++i]);
    };
    if (word == "--preset") {
      options.preset = value();
    } else if (word == "--seeds") {
      options.seeds = std::stoull(value());
    } else if (word == "--threads") {
      options.threads = std::stoull(value());
    } else if (word == "--set") {
      const std::string text = value();
      const auto at = text.find('=');
      options.settings.emplace_back(text.substr(0, at), text.substr(at + 1));
    } else {
      options.data = word;
    }
  }
  if (options.data.empty()) throw core::UsageError("which data?");
  return options;
}

struct Fits {
  std::vector<double> seconds;
  double loss = 0.0;  ///< mean of the seeds

  double median() {
    std::ranges::sort(seconds);
    return seconds[seconds.size() / 2];
  }
};

/// One network for each seed, by the machine or, without one, by the CPU.
Fits fit(const boosting::Prepared& prepared, const Options& options, backend::ManyFits* machine,
         core::Workers& workers) {
  Fits fits;
  for (std::size_t seed = 0; seed < options.seeds; ++seed) {
    boosting::Config config = prepared.config;
    config.seed = seed;
    const std::size_t outputs = prepared.model.network.outputs();
    const boosting::TrainTask task{config, prepared.train, outputs, nullptr, "cpu", workers, {}, machine};
    const auto start = std::chrono::steady_clock::now();
    const auto trained = boosting::train(task, prepared.model.network, {}, {});
    fits.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    fits.loss += trained.curves.train.back() / static_cast<double>(options.seeds);
  }
  return fits;
}

void run(const Options& options) {
  core::Workers all(options.threads), one(1);
  const data::Table table = read_data(options.data, all);
  boosting::FitOptions how;
  how.preset = options.preset;
  how.overrides = options.settings;
  how.overrides.emplace_back("auto", "off");
  const boosting::Prepared prepared = boosting::prepare_fit(table, how);
  const auto machine = cuda::open();
  {
    Options first = options;  // wakes the device
    first.seeds = 1;
    fit(prepared, first, machine.get(), all);
  }
  Fits gpu = fit(prepared, options, machine.get(), all), cpu = fit(prepared, options, nullptr, all),
       core = fit(prepared, options, nullptr, one);
  fmt::print(
      "{} {}x{} J={} units={} {}: {:.3g} s on the GPU, {:.3g} s on {} CPU threads, {:.3g} s on one; training loss "
      "{:.6g} and {:.6g}, ratio {:.4f}\n",
      options.data.substr(options.data.find_last_of('/') + 1), prepared.train.rows(), prepared.train.features.cols(),
      prepared.config.units_per_step, prepared.config.units, options.preset, gpu.median(), cpu.median(), all.threads(),
      core.median(), gpu.loss, cpu.loss, gpu.loss / cpu.loss);
}

}  // namespace
}  // namespace accrete::bench

int main(int argc, char** argv) {
  try {
    accrete::bench::run(accrete::bench::parse(argc, argv));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
