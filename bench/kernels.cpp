// Value and gradient of the CPU backend beside what this machine can do at most: arithmetic and reading.
//
//   ./dev bench kernels [--quick] [--loss]
//
// Every point is compared with the reference backend before it is timed, and the run stops where they differ beyond
// rounding. Operations and bytes are counted in bench/support/counts.hpp. The ceilings are measured beside every point,
// on one thread: multiply-adds from registers, and reading a buffer of the size of the point's own inputs, so that what
// fits a cache is held against that cache. The least time a point could take is the longer of operations / arithmetic
// ceiling and bytes / reading ceiling; the share is that time over the measured one. Point, ceilings and threads take
// turns, a batch each, since what a machine has left for one changes from moment to moment; of each the fastest batch
// counts.
// --loss measures the loss itself instead of squares to the residuals.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>

#include "accrete/core/random.hpp"
#include "bench/support/ceilings.hpp"
#include "bench/support/counts.hpp"
#include "bench/support/machine.hpp"
#include "bench/support/timing.hpp"

namespace accrete::bench {
namespace {

struct Options {
  Effort effort;
  backend::Fit fit = backend::Fit::squares;
};

constexpr std::size_t checked_rows = 5000;    ///< the reference is slow
constexpr std::size_t threaded_rows = 20000;  ///< from here on threads are compared
constexpr std::uint64_t seed = 1;

loss::Loss loss_for(backend::Fit fit, std::size_t outputs) {
  if (fit == backend::Fit::squares) return loss::Loss::named("squared");
  return loss::Loss::named(outputs == 1 ? "logistic" : "softmax");
}

core::TiledMatrix random_features(std::size_t rows, std::size_t columns) {
  core::Rng rng(seed, columns, core::Purpose::generator);
  core::TiledMatrix x(rows, columns);
  // Sums of uniforms are normal enough here, and fast to make.
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      x.at(r, c) = static_cast<float>(rng.uniform(-1.0, 1.0) + rng.uniform(-1.0, 1.0) + rng.uniform(-1.0, 1.0));
  return x;
}

void set_targets(data::Dataset& data, backend::Fit fit, std::size_t outputs) {
  core::Rng rng(seed, outputs, core::Purpose::rows);
  const bool classes = fit == backend::Fit::loss;
  data.targets = core::Matrix<double>(data.rows(), classes ? 1 : outputs);
  for (double& y : data.targets.flat())
    y = classes ? static_cast<double>(rng.below(std::max<std::size_t>(2, outputs)))
                : static_cast<double>(static_cast<float>(rng.uniform(-2.0, 2.0)));
  data.weights.assign(data.rows(), 1.0);
}

data::Dataset first_rows(const data::Dataset& data, std::size_t count) {
  data::Dataset part;
  std::vector<std::size_t> rows(count);
  for (std::size_t r = 0; r < count; ++r) rows[r] = r;
  part.features = data.features.select_rows(rows);
  part.targets = core::Matrix<double>(count, data.targets.cols());
  for (std::size_t r = 0; r < count; ++r) std::ranges::copy(data.targets.row(r), part.targets.row(r).begin());
  part.weights.assign(count, 1.0);
  return part;
}

/// Rows of one backend, with one point's view and parameters: what a solver would call.
class Evaluation {
 public:
  using Make = std::unique_ptr<backend::Rows> (*)(const backend::Source&);

  Evaluation(Make make, const data::Dataset& data, std::size_t outputs, backend::Fit fit, core::Workers& workers)
      : fit_(fit), outputs_(outputs), features_(data.features.cols()) {
    rows_ = make({data, outputs, loss_for(fit, outputs), activation::Activation::named("logistic"), workers});
    for (std::size_t i = 0; i < features_.size(); ++i) features_[i] = i;
    rows_->start(std::vector<double>(outputs, 0.0));
    rows_->take_residuals(false);
  }

  void look_at(std::size_t units) {
    const backend::BlockShape shape{features_.size(), units, outputs_};
    rows_->look_at({{}, features_, units, fit_, 1e-4});
    core::Rng rng(seed, shape.size(), core::Purpose::weights);
    point_.resize(shape.size());
    const double scale = 1.0 / std::sqrt(static_cast<double>(shape.features));
    for (std::size_t i = 0; i < point_.size(); ++i)
      point_[i] = static_cast<float>((i < shape.hidden_bias_at() ? scale : 1.0) * rng.normal());
    gradient_.resize(shape.size());
  }

  double operator()() { return rows_->evaluate(point_, gradient_); }
  const std::vector<double>& gradient() const { return gradient_; }

 private:
  backend::Fit fit_;
  std::size_t outputs_;
  std::vector<std::size_t> features_;
  std::unique_ptr<backend::Rows> rows_;
  std::vector<double> point_, gradient_;
};

/// What is wrong, or nothing. The bounds are those of the backends' contract test: a few roundings of each row's
/// numbers, and of a sum over the features.
std::optional<std::string> difference(Evaluation& found, Evaluation& wanted, std::size_t features) {
  const double tolerance = 2e-6 + 2e-7 * std::sqrt(static_cast<double>(features));
  const double a = found(), b = wanted();
  if (!(std::abs(a - b) <= tolerance * (1.0 + std::abs(b)))) return fmt::format("value {} instead of {}", a, b);
  double largest = 1e-3;
  for (double g : wanted.gradient()) largest = std::max(largest, std::abs(g));
  for (std::size_t i = 0; i < wanted.gradient().size(); ++i)
    if (!(std::abs(found.gradient()[i] - wanted.gradient()[i]) <= tolerance * largest))
      return fmt::format("gradient {} is {} instead of {}", i, found.gradient()[i], wanted.gradient()[i]);
  return std::nullopt;
}

struct Summary {
  std::vector<double> shares, doubled;
};

/// "1.93", or a dash where threads are not compared.
std::string ratio_text(double one, double many) {
  return many > 0.0 ? fmt::format("{:.2f}", one / many) : "-";
}

/// What was measured at one point; seconds of one call, and amounts a second.
struct Point {
  Timing one;
  double two = 0.0, all = 0.0;  ///< 0: not compared
  double fma = 0.0, read = 0.0;
};

Point measure(const Options& options, double bytes, Evaluation& single, std::optional<Evaluation>& pair,
              std::optional<Evaluation>& many) {
  const Reading reading(static_cast<std::size_t>(bytes));
  double operations = 0.0, read = 0.0;
  std::vector<std::function<void()>> works{[&] { single(); }, [&] { operations = multiply_adds(); },
                                           [&] { read = reading(); }};
  if (pair) works.emplace_back([&] { (*pair)(); });
  if (many) works.emplace_back([&] { (*many)(); });
  const std::vector<Timing> times = time_in_turn(options.effort, works);
  return {times[0], pair ? times[3].fastest : 0.0, many ? times[4].fastest : 0.0, operations / times[1].fastest,
          read / times[2].fastest};
}

/// All numbers of units for one data set and one number of outputs.
void run_outputs(const data::Dataset& data, std::size_t outputs, const Options& options, Summary& summary) {
  const std::size_t rows = data.rows(), features = data.features.cols(), all = core::hardware_threads();
  core::Workers one(1), two(2), team(all);
  const data::Dataset part = first_rows(data, std::min(rows, checked_rows));
  Evaluation checked(backend::make_cpu_rows, part, outputs, options.fit, one);
  Evaluation reference(backend::make_reference_rows, part, outputs, options.fit, one);
  Evaluation single(backend::make_cpu_rows, data, outputs, options.fit, one);
  std::optional<Evaluation> pair, many;
  if (rows >= threaded_rows) pair.emplace(backend::make_cpu_rows, data, outputs, options.fit, two);
  if (rows >= threaded_rows && all > 2) many.emplace(backend::make_cpu_rows, data, outputs, options.fit, team);

  for (const std::size_t units : {1, 2, 4, 8}) {
    checked.look_at(units), reference.look_at(units), single.look_at(units);
    if (const auto wrong = difference(checked, reference, features)) {
      fmt::print(stderr, "kernels: {} x {}, {} units, {} outputs: {}\n", rows, features, units, outputs, *wrong);
      std::exit(1);
    }
    if (pair) pair->look_at(units);
    if (many) many->look_at(units);
    const Cost cost = cost_of(rows, {features, units, outputs}, options.fit);
    const Point p = measure(options, cost.bytes, single, pair, many);
    const double arithmetic = cost.flops / p.fma, reading = cost.bytes / p.read, time = p.one.fastest;
    const double share = std::max(arithmetic, reading) / time;
    summary.shares.push_back(share);
    if (pair) summary.doubled.push_back(time / p.two);
    fmt::print(
        "| {} x {} | {} | {} | {:.2f} | {:.0f}% | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {} | {:.0f}% | {} | {} |\n", rows,
        features, units, outputs, 1e6 * time, 100.0 * p.one.spread, 1e-9 * cost.flops / time, 1e-9 * p.fma,
        1e-9 * cost.bytes / time, 1e-9 * p.read, arithmetic >= reading ? "arithmetic" : "reading", 100.0 * share,
        ratio_text(time, p.two), ratio_text(time, p.all));
    std::fflush(stdout);
  }
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0.0 : values[values.size() / 2];
}

void run(const Options& options) {
  fmt::print("machine: {}; seed {}; {}, logistic units, all features\n\n", machine(), seed,
             options.fit == backend::Fit::squares ? "squares" : "the loss itself");
  fmt::print(
      "| rows x features | J | K | µs | spread | GFLOP/s | ceiling | GB/s | ceiling | bound by | share | 2 threads, "
      "times | all {}, times |\n|{}\n",
      core::hardware_threads(), "---|---|---|---|---|---|---|---|---|---|---|---|---|");
  Summary summary;
  const std::pair<std::size_t, std::size_t> sizes[] = {{500, 30}, {5000, 57}, {20000, 10}, {500000, 54}};
  for (const auto& [rows, features] : sizes) {
    data::Dataset data;
    data.features = random_features(rows, features);
    for (const std::size_t outputs : {1, 3, 10}) {
      set_targets(data, options.fit, outputs);
      run_outputs(data, outputs, options, summary);
    }
  }
  fmt::print(
      "\nall {} points agree with the reference; share: least {:.0f}%, median {:.0f}%; 2 threads: least {:.2f} times\n",
      summary.shares.size(), 100.0 * *std::ranges::min_element(summary.shares), 100.0 * median(summary.shares),
      *std::ranges::min_element(summary.doubled));
}

}  // namespace
}  // namespace accrete::bench

int main(int count, char** words) {
  accrete::bench::Options options;
  for (int i = 1; i < count; ++i) {
    if (!std::strcmp(words[i], "--quick")) {
      options.effort = {10, 0.002};
    } else if (!std::strcmp(words[i], "--loss")) {
      options.fit = accrete::backend::Fit::loss;
    } else {
      std::fputs("usage: bench_kernels [--quick] [--loss]\n", stderr);
      return 2;
    }
  }
  accrete::bench::run(options);
}
