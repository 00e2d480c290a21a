// Value and gradient of the CPU backend against the hardware's compute and memory ceilings.
//
//   ./dev bench kernels [--quick] [--loss]
//
// Every point is compared with the reference backend before it is timed; the run stops if they differ beyond rounding.
// Operations and bytes are counted in bench/support/counts.hpp. The ceilings are measured next to every point on one
// thread: multiply-adds in registers, and reading a buffer as large as the point's inputs, so that a point that fits
// into a cache is compared with that cache. The minimum time of a point is the larger of operations / compute ceiling
// and bytes / memory ceiling; "of ceiling" is that time divided by the measured one. Point, ceilings and thread counts
// alternate in batches, and the fastest batch of each counts. --loss measures the loss itself instead of squared error.

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
#include "bench/support/hardware.hpp"
#include "bench/support/timing.hpp"

namespace accrete::bench {
namespace {

struct Options {
  TimingEffort effort;
  backend::StepObjective objective = backend::StepObjective::squared_error;
};

constexpr std::size_t checked_rows = 5000;    ///< the reference is slow
constexpr std::size_t threaded_rows = 20000;  ///< minimum for comparing thread counts
constexpr std::uint64_t seed = 1;

loss::Loss loss_for(backend::StepObjective objective, std::size_t outputs) {
  if (objective == backend::StepObjective::squared_error) return loss::Loss::named("squared");
  return loss::Loss::named(outputs == 1 ? "logistic" : "softmax");
}

core::TiledMatrix random_features(std::size_t rows, std::size_t columns) {
  core::Rng rng(seed, columns, core::Purpose::generator);
  core::TiledMatrix x(rows, columns);
  // Sums of uniforms are close enough to normal, and fast to draw.
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      x.at(r, c) = static_cast<float>(rng.uniform(-1.0, 1.0) + rng.uniform(-1.0, 1.0) + rng.uniform(-1.0, 1.0));
  return x;
}

void set_targets(data::Dataset& data, backend::StepObjective objective, std::size_t outputs) {
  core::Rng rng(seed, outputs, core::Purpose::rows);
  const bool classes = objective == backend::StepObjective::loss;
  data.targets = core::Matrix<double>(data.features.rows(), classes ? 1 : outputs);
  for (double& y : data.targets.flat())
    y = classes ? static_cast<double>(rng.below(std::max<std::size_t>(2, outputs)))
                : static_cast<double>(static_cast<float>(rng.uniform(-2.0, 2.0)));
  data.weights.assign(data.features.rows(), 1.0);
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

/// The rows of one backend at one point, evaluated as by a solver.
class Evaluation {
 public:
  using Make = std::unique_ptr<backend::TrainingRows> (*)(const backend::TrainingProblem&);

  Evaluation(Make make, const data::Dataset& data, std::size_t outputs, backend::StepObjective objective,
             core::Workers& workers)
      : objective_(objective), outputs_(outputs), features_(data.features.cols()) {
    rows_ = make({data, outputs, loss_for(objective, outputs), activation::Activation::named("logistic"), workers});
    for (std::size_t i = 0; i < features_.size(); ++i) features_[i] = i;
    rows_->reset_scores(std::vector<double>(outputs, 0.0));
    rows_->compute_residuals(false);
  }

  void set_units(std::size_t units) {
    const backend::BlockShape shape{features_.size(), units, outputs_};
    rows_->set_view({.rows = {}, .features = features_, .units = units, .objective = objective_, .alpha = 1e-4});
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
  backend::StepObjective objective_;
  std::size_t outputs_;
  std::vector<std::size_t> features_;
  std::unique_ptr<backend::TrainingRows> rows_;
  std::vector<double> point_, gradient_;
};

/// The first difference, if any. The bounds are those of the backends' contract test: a few roundings per row, and
/// those of a sum over the features.
std::optional<std::string> difference(Evaluation& actual, Evaluation& expected, std::size_t features) {
  const double tolerance = 2e-6 + 2e-7 * std::sqrt(static_cast<double>(features));
  const double a = actual(), b = expected();
  if (!(std::abs(a - b) <= tolerance * (1.0 + std::abs(b)))) return fmt::format("value {} instead of {}", a, b);
  double largest = 1e-3;
  for (double g : expected.gradient()) largest = std::max(largest, std::abs(g));
  for (std::size_t i = 0; i < expected.gradient().size(); ++i)
    if (!(std::abs(actual.gradient()[i] - expected.gradient()[i]) <= tolerance * largest))
      return fmt::format("gradient {} is {} instead of {}", i, actual.gradient()[i], expected.gradient()[i]);
  return std::nullopt;
}

struct Summary {
  std::vector<double> shares, speedups;  ///< of the ceiling; of two threads over one
};

/// "1.93", or a dash if thread counts are not compared.
std::string speedup_text(double one, double many) {
  return many > 0.0 ? fmt::format("{:.2f}", one / many) : "-";
}

/// Measurements of one point: seconds per call, and ceilings per second.
struct PointTimes {
  Timing one;
  double two = 0.0, all = 0.0;              ///< with two and with all threads; 0: not measured
  double flop_rate = 0.0, byte_rate = 0.0;  ///< ceilings
};

PointTimes measure(const Options& options, double bytes, Evaluation& single, std::optional<Evaluation>& pair,
                   std::optional<Evaluation>& many) {
  const BufferReader reader(static_cast<std::size_t>(bytes));
  double operations = 0.0, read = 0.0;
  std::vector<std::function<void()>> works{[&] { single(); }, [&] { operations = multiply_adds(); },
                                           [&] { read = reader(); }};
  if (pair) works.emplace_back([&] { (*pair)(); });
  if (many) works.emplace_back([&] { (*many)(); });
  const std::vector<Timing> times = time_interleaved(options.effort, works);
  return {.one = times[0],
          .two = pair ? times[3].fastest : 0.0,
          .all = many ? times[4].fastest : 0.0,
          .flop_rate = operations / times[1].fastest,
          .byte_rate = read / times[2].fastest};
}

/// All unit counts for one data set and one number of outputs.
void run_outputs(const data::Dataset& data, std::size_t outputs, const Options& options, Summary& summary) {
  const std::size_t rows = data.rows(), features = data.features.cols(), all = core::hardware_threads();
  core::Workers one(1), two(2), every(all);
  const data::Dataset subset = first_rows(data, std::min(rows, checked_rows));
  Evaluation checked(backend::make_cpu_rows, subset, outputs, options.objective, one);
  Evaluation reference(backend::make_reference_rows, subset, outputs, options.objective, one);
  Evaluation single(backend::make_cpu_rows, data, outputs, options.objective, one);
  std::optional<Evaluation> pair, many;
  if (rows >= threaded_rows) pair.emplace(backend::make_cpu_rows, data, outputs, options.objective, two);
  if (rows >= threaded_rows && all > 2) many.emplace(backend::make_cpu_rows, data, outputs, options.objective, every);

  for (const std::size_t units : {1, 2, 4, 8}) {
    checked.set_units(units), reference.set_units(units), single.set_units(units);
    if (const auto wrong = difference(checked, reference, features)) {
      fmt::print(stderr, "kernels: {} x {}, {} units, {} outputs: {}\n", rows, features, units, outputs, *wrong);
      std::exit(1);
    }
    if (pair) pair->set_units(units);
    if (many) many->set_units(units);
    const EvaluationCost cost = cost_of(rows, {features, units, outputs}, options.objective);
    const PointTimes p = measure(options, cost.bytes, single, pair, many);
    const double compute = cost.flops / p.flop_rate, memory = cost.bytes / p.byte_rate, time = p.one.fastest;
    const double share = std::max(compute, memory) / time;
    summary.shares.push_back(share);
    if (pair) summary.speedups.push_back(time / p.two);
    fmt::print(
        "| {} x {} | {} | {} | {:.2f} | {:.0f}% | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {} | {:.0f}% | {} | {} |\n", rows,
        features, units, outputs, 1e6 * time, 100.0 * p.one.spread, 1e-9 * cost.flops / time, 1e-9 * p.flop_rate,
        1e-9 * cost.bytes / time, 1e-9 * p.byte_rate, compute >= memory ? "compute" : "memory", 100.0 * share,
        speedup_text(time, p.two), speedup_text(time, p.all));
    std::fflush(stdout);
  }
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0.0 : values[values.size() / 2];
}

void run(const Options& options) {
  fmt::print("hardware: {}; seed {}; {}, logistic units, all features\n\n", hardware(), seed,
             options.objective == backend::StepObjective::squared_error ? "squared error" : "loss");
  fmt::print(
      "| rows x features | J | K | µs | spread | GFLOP/s | ceiling | GB/s | ceiling | bound by | of ceiling | 2-thread "
      "speedup | {}-thread speedup |\n|{}\n",
      core::hardware_threads(), "---|---|---|---|---|---|---|---|---|---|---|---|---|");
  Summary summary;
  const std::pair<std::size_t, std::size_t> sizes[] = {{500, 30}, {5000, 57}, {20000, 10}, {500000, 54}};
  for (const auto& [rows, features] : sizes) {
    data::Dataset data;
    data.features = random_features(rows, features);
    for (const std::size_t outputs : {1, 3, 10}) {
      set_targets(data, options.objective, outputs);
      run_outputs(data, outputs, options, summary);
    }
  }
  fmt::print(
      "\nall {} points agree with the reference; of ceiling: min {:.0f}%, median {:.0f}%; 2 threads: min {:.2f} "
      "times\n",
      summary.shares.size(), 100.0 * *std::ranges::min_element(summary.shares), 100.0 * median(summary.shares),
      *std::ranges::min_element(summary.speedups));
}

}  // namespace
}  // namespace accrete::bench

int main(int count, char** words) {
  accrete::bench::Options options;
  for (int i = 1; i < count; ++i) {
    if (!std::strcmp(words[i], "--quick")) {
      options.effort = {10, 0.002};
    } else if (!std::strcmp(words[i], "--loss")) {
      options.objective = accrete::backend::StepObjective::loss;
    } else {
      std::fputs("usage: bench_kernels [--quick] [--loss]\n", stderr);
      return 2;
    }
  }
  accrete::bench::run(options);
}
