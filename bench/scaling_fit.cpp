// Seconds and peak memory of one fit on generated rows or a CSV file, as JSON; run by bench/scaling.py.
//
//   bench_scaling_fit ROWS FEATURES UNITS [--max-iter N] [--repeats N] [--regression] [--keep] [--csv FILE]
//                     [--threads N]
//
// The table is moved into the fit (--keep: passed by reference) and generated again for each repeat. Every step takes
// exactly max-iter iterations and auto is off, so that the work depends only on the size.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "accrete/boosting/fit.hpp"
#include "accrete/core/random.hpp"
#include "accrete/io/csv.hpp"
#include "bench/support/hardware.hpp"
#include "bench/support/timing.hpp"

namespace accrete::bench {
namespace {

struct Options {
  std::size_t rows = 0, features = 0, units = 0, max_iter = 20, repeats = 1, threads = 0;
  bool regression = false, keep = false;
  std::string csv;
};

constexpr std::uint64_t seed = 1;

/// Uniform features; the target is a noisy function of two of them, or its sign.
data::Table make_table(const Options& options) {
  core::Rng rng(seed, options.rows, core::Purpose::generator);
  data::Table table{"made", std::vector<data::Column>(options.features + 1)};
  for (std::size_t c = 0; c < options.features; ++c) {
    table.columns[c].name = fmt::format("x{}", c);
    table.columns[c].numbers.resize(options.rows);
    for (float& x : table.columns[c].numbers) x = static_cast<float>(rng.uniform(-1.7320508, 1.7320508));
  }
  data::Column& target = table.columns.back();
  target.name = "target";
  if (!options.regression) {
    target.kind = data::Column::Kind::text;
    target.levels = {"a", "b"};
  }
  const auto& first = table.columns[0].numbers;
  const auto& second = table.columns[options.features > 1 ? 1 : 0].numbers;
  for (std::size_t r = 0; r < options.rows; ++r) {
    const double y = std::sin(2.0 * first[r]) + first[r] * second[r] + rng.uniform(-0.5, 0.5);
    if (options.regression)
      target.numbers.push_back(static_cast<float>(y));
    else
      target.codes.push_back(y > 0.0 ? 1 : 0);
  }
  return table;
}

data::Table make_or_read_table(const Options& options, core::Workers& workers) {
  if (options.csv.empty()) return make_table(options);
  io::CsvOptions csv;
  csv.as_text = {"target"};
  return io::read_csv(options.csv, csv, workers);
}

void run(const Options& options) {
  core::Workers workers(options.threads);
  const double before = resident_memory();
  boosting::FitOptions fit;
  fit.targets = {"target"};
  fit.workers = &workers;
  fit.config = {.units = options.units, .max_iter = options.max_iter, .tolerance = 0, .automatic = false};
  std::string seconds, loss, reading;
  double rows = 0.0;
  for (std::size_t i = 0; i < options.repeats; ++i) {
    const Stopwatch read;
    data::Table table = make_or_read_table(options, workers);
    reading += fmt::format("{}{:.6g}", i ? ", " : "", read.seconds());
    rows = static_cast<double>(table.rows());
    const Stopwatch watch;
    const auto result = options.keep ? boosting::fit(std::as_const(table), fit) : boosting::fit(std::move(table), fit);
    seconds += fmt::format("{}{:.6g}", i ? ", " : "", watch.seconds());
    loss = fmt::format("{:.9g}", result.model.provenance.train_loss.back());
  }
  fmt::print(
      "{{\"rows\": {}, \"seconds\": [{}], \"reading\": [{}], \"peak\": {:.0f}, \"before\": {:.0f}, \"loss\": {}}}\n",
      rows, seconds, reading, peak_memory(), before, loss);
}

/// The number after argument i, which is advanced.
std::size_t number_after(int count, char** words, int& i) {
  return ++i < count ? static_cast<std::size_t>(std::strtoull(words[i], nullptr, 10)) : 0;
}

Options parse(int count, char** words) {
  Options options;
  std::vector<std::size_t> sizes;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--max-iter")
      options.max_iter = number_after(count, words, i);
    else if (word == "--repeats")
      options.repeats = number_after(count, words, i);
    else if (word == "--threads")
      options.threads = number_after(count, words, i);
    else if (word == "--regression")
      options.regression = true;
    else if (word == "--keep")
      options.keep = true;
    else if (word == "--csv" && i + 1 < count)
      options.csv = words[++i];
    else
      sizes.push_back(static_cast<std::size_t>(std::strtoull(words[i], nullptr, 10)));
  }
  sizes.resize(3, 0);
  options.rows = sizes[0], options.features = sizes[1], options.units = sizes[2];
  return options;
}

}  // namespace
}  // namespace accrete::bench

int main(int count, char** words) {
  try {
    const auto options = accrete::bench::parse(count, words);
    if (options.units == 0 || (options.csv.empty() && (options.rows < 2 || options.features == 0))) {
      std::fputs(
          "usage: bench_scaling_fit ROWS FEATURES UNITS [--max-iter N] [--repeats N] [--regression] [--keep] "
          "[--csv FILE] [--threads N]\n",
          stderr);
      return 2;
    }
    accrete::bench::run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_scaling_fit: {}\n", error.what());
    return 1;
  }
}
