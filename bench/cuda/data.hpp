#pragma once
// What the benchmarks on a GPU are told: data, which is a file, so many rows of a generator, or clouds of any shape,
// settings, and a few numbers.

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "accrete/boosting/parameter.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/generate.hpp"
#include "accrete/io/csv.hpp"

namespace accrete::bench {

/// FILE.csv, NAME:ROWS of one of the generators of accrete data make, or clouds:ROWS:FEATURES:CLASSES.
inline data::Table read_data(const std::string& words, core::Workers& workers) {
  std::size_t rows = 0, features = 0, classes = 0;
  if (std::sscanf(words.c_str(), "clouds:%zu:%zu:%zu", &rows, &features, &classes) == 3)
    return data::normal_clouds({rows, features, classes}, 1);
  const auto at = words.rfind(':');
  if (at == std::string::npos) return io::read_csv(words, {}, workers);
  return data::generator_named(words.substr(0, at)).make(std::stoull(words.substr(at + 1)), 1);
}

struct Arguments {
  std::string preset;
  std::map<std::string, std::size_t> numbers;  ///< by their flags, with what they are when not given
  std::string data = {};
  std::vector<boosting::Setting> settings = {};

  std::string data_name() const { return data.substr(data.find_last_of('/') + 1); }
};

/// DATA [--preset NAME] [--set name=value]... and a flag for each of the numbers.
inline Arguments parse(int argc, char** argv, Arguments given) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (i + 1 >= argc) throw core::UsageError(word + " needs a value");
      return std::string(argv[++i]);
    };
    if (word == "--preset") {
      given.preset = value();
    } else if (given.numbers.contains(word)) {
      given.numbers[word] = std::stoull(value());
    } else if (word == "--set") {
      const std::string text = value();
      const auto at = text.find('=');
      given.settings.emplace_back(text.substr(0, at), text.substr(at + 1));
    } else {
      given.data = word;
    }
  }
  if (given.data.empty()) throw core::UsageError("which data?");
  return given;
}

/// The main function of a benchmark; what goes wrong is said in a line.
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
