#pragma once
// Command line of the GPU benchmarks.

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "accrete/backend/cuda/device.hpp"
#include "accrete/config/parameter.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/generate.hpp"
#include "accrete/io/csv.hpp"

namespace accrete::bench {

/// FILE.csv, NAME:ROWS of a generator of accrete data make, or clouds:ROWS:FEATURES:CLASSES.
inline data::Table read_data(const std::string& source, core::Workers& workers) {
  std::size_t rows = 0, features = 0, classes = 0;
  if (std::sscanf(source.c_str(), "clouds:%zu:%zu:%zu", &rows, &features, &classes) == 3)
    return data::normal_clouds({rows, features, classes}, 1);
  const auto at = source.rfind(':');
  if (at == std::string::npos) return io::read_csv(source, {}, workers);
  return data::generator_named(source.substr(0, at)).make(std::stoull(source.substr(at + 1)), 1);
}

struct Arguments {
  std::string preset;
  std::map<std::string, std::size_t> numbers;  ///< flags with a number, and their defaults
  std::string data = {};
  std::vector<config::Setting> settings = {};
  cuda::EnabledPasses enabled = {};

  std::string data_name() const { return data.substr(data.find_last_of('/') + 1); }
};

inline void disable_pass(const std::string& name, cuda::EnabledPasses& enabled) {
  const std::map<std::string, bool cuda::EnabledPasses::*> passes{
      {"fixed_kernels", &cuda::EnabledPasses::fixed_kernels},
      {"warp_kernels", &cuda::EnabledPasses::warp_kernels},
      {"single_pass", &cuda::EnabledPasses::single_pass},
      {"tiles", &cuda::EnabledPasses::tiles}};
  const auto found = passes.find(name);
  if (found == passes.end())
    throw core::UsageError("--without " + name + ": must be fixed_kernels, warp_kernels, single_pass or tiles");
  enabled.*found->second = false;
}

/// DATA [--preset NAME] [--set name=value]... [--without PASS]... and the flags of `defaults`.
inline Arguments parse(int argc, char** argv, Arguments defaults) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (i + 1 >= argc) throw core::UsageError(word + " needs a value");
      return std::string(argv[++i]);
    };
    if (word == "--preset") {
      defaults.preset = value();
    } else if (defaults.numbers.contains(word)) {
      defaults.numbers[word] = std::stoull(value());
    } else if (word == "--without") {
      disable_pass(value(), defaults.enabled);
    } else if (word == "--set") {
      const std::string text = value();
      const auto at = text.find('=');
      defaults.settings.emplace_back(text.substr(0, at), text.substr(at + 1));
    } else {
      defaults.data = word;
    }
  }
  if (defaults.data.empty())
    throw core::UsageError("no data given: FILE.csv, NAME:ROWS or clouds:ROWS:FEATURES:CLASSES");
  return defaults;
}

/// The main function of a benchmark; errors are printed in one line.
template <class Run>
int run_with(int argc, char** argv, const Arguments& defaults, Run run) {
  try {
    run(parse(argc, argv, defaults));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace accrete::bench
