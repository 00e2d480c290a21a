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
#include "accrete/core/random.hpp"
#include "accrete/data/generate.hpp"
#include "accrete/data/generate_parts.hpp"
#include "accrete/io/csv.hpp"

namespace accrete::bench {

/// A normal cloud for each class, about its own centre; they overlap.
inline data::Table make_clouds(std::size_t rows, std::size_t features, std::size_t classes) {
  core::Rng rng(1, 0, core::Purpose::generator);
  data::Table table{"clouds", {}};
  for (std::size_t f = 0; f < features; ++f) table.columns.push_back(data::numeric_column("x" + std::to_string(f), rows));
  table.columns.push_back(data::text_column("target", rows));
  std::vector<double> centres(classes * features);
  for (double& centre : centres) centre = 0.25 * rng.normal();
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t label = rng.below(classes);
    for (std::size_t f = 0; f < features; ++f)
      table.columns[f].numbers.push_back(static_cast<float>(centres[label * features + f] + rng.normal()));
    data::append_text(table.columns.back(), std::to_string(label));
  }
  return table;
}

/// FILE.csv, NAME:ROWS of one of the generators of accrete data make, or clouds:ROWS:FEATURES:CLASSES.
inline data::Table read_data(const std::string& words, core::Workers& workers) {
  std::size_t rows = 0, features = 0, classes = 0;
  if (std::sscanf(words.c_str(), "clouds:%zu:%zu:%zu", &rows, &features, &classes) == 3)
    return make_clouds(rows, features, classes);
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
