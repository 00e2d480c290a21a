// One evaluation over binned columns: ramps stored as features, against ramps computed per tile or looked up.
//
//   ./dev bench bins [--quick]
//
// Value and gradient of both are compared before they are timed. The times, on one thread, show the size above which
// computing is cheaper (data::max_expanded_bytes) and the number of bins above which lookup tables are
// (data::min_lookup_bins). Batches of the two alternate, and the fastest batch of each counts.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>

#include "accrete/backend/rows.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/encoder/encode_subsets.hpp"
#include "bench/support/hardware.hpp"
#include "bench/support/timing.hpp"

namespace accrete::bench {
namespace {

constexpr std::uint64_t seed = 1;
constexpr std::size_t units = 4;

struct Size {
  std::size_t rows, columns, bins;
};

/// Each column has 33 values, so that 64 bins have a boundary at each: training with lookup tables rounds other
/// numbers to a grid (data/encoder/number_grid.hpp).
data::Table random_table(const Size& size) {
  core::Rng rng(seed, size.rows, core::Purpose::generator);
  data::Table table{"made", std::vector<data::Column>(size.columns)};
  for (std::size_t c = 0; c < size.columns; ++c) {
    table.columns[c].name = fmt::format("x{}", c);
    for (std::size_t r = 0; r < size.rows; ++r)
      table.columns[c].numbers.push_back(static_cast<float>(std::clamp(std::round(5.0 * rng.normal()), -16.0, 16.0)));
  }
  return table;
}

/// Rows and a point, evaluated as by a solver. Ramps are stored if they take at most `max_expanded` bytes.
class Evaluation {
 public:
  Evaluation(const Size& size, backend::StepObjective objective, double fraction, std::size_t max_expanded) {
    const data::Table table = random_table(size);
    std::vector<std::size_t> rows(size.rows), columns(size.columns);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    const auto encoder = data::Encoder::fit(table, columns, {rows}, {.bins = size.bins});
    const std::span<const std::size_t> parts[] = {rows};
    data_.features =
        std::move(data::encode_subsets(encoder, {table}, parts, one_, {.max_expanded = max_expanded}).front());
    data_.targets = core::Matrix<double>(size.rows, 1);
    core::Rng rng(seed, 1, core::Purpose::rows);
    for (double& y : data_.targets.flat()) y = rng.normal();
    data_.weights.assign(size.rows, 1.0);
    rows_ = backend::make_cpu_rows(
        {data_, 1, loss::Loss::named("squared"), activation::Activation::named("logistic"), one_});
    rows_->reset_scores(std::vector<double>(1, 0.0));
    rows_->compute_residuals(false);

    const std::size_t width = data_.features.cols();
    const auto drawn = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(width)));
    features_ = core::Rng(seed, 0, core::Purpose::features).choose(width, drawn);
    const backend::BlockShape shape{features_.size(), units, 1};
    rows_->set_view({.rows = {}, .features = features_, .units = units, .objective = objective, .alpha = 1e-4});
    point_.resize(objective == backend::StepObjective::projected ? shape.hidden_size() : shape.size());
    gradient_.resize(point_.size());
    const double scale = 1.0 / std::sqrt(static_cast<double>(shape.features));
    for (double& p : point_) p = scale * rng.normal();
  }

  double operator()() { return rows_->evaluate(point_, gradient_); }
  const std::vector<double>& gradient() const { return gradient_; }
  std::size_t drawn() const { return features_.size(); }
  double kilobytes() const {
    return static_cast<double>(data_.rows() * data_.features.stored().cols() * sizeof(float)) / 1024.0;
  }

 private:
  core::Workers one_{1};
  data::Dataset data_;
  std::unique_ptr<backend::TrainingRows> rows_;
  std::vector<std::size_t> features_;
  std::vector<double> point_, gradient_;
};

/// Stored and computed ramps give the same bits; lookup tables round differently.
bool differ(Evaluation& stored, Evaluation& compact, bool lookup) {
  double value = stored(), largest = 0.0, difference = std::abs(value - compact()) / std::abs(value);
  for (const double g : stored.gradient()) largest = std::max(largest, std::abs(g));
  for (std::size_t i = 0; i < stored.gradient().size(); ++i)
    difference = std::max(difference, std::abs(stored.gradient()[i] - compact.gradient()[i]) / largest);
  return !(difference <= (lookup ? 1e-5 : 0.0));
}

void compare(const Size& size, backend::StepObjective objective, double fraction, const TimingEffort& effort) {
  Evaluation stored(size, objective, fraction, std::numeric_limits<std::size_t>::max()),
      compact(size, objective, fraction, 0);
  if (differ(stored, compact, size.bins >= data::min_lookup_bins)) {
    fmt::print(stderr, "bins: {} x {}, {} bins: stored and compact ramps give different results\n", size.rows,
               size.columns, size.bins);
    std::exit(1);
  }
  double stored_time = std::numeric_limits<double>::infinity(), compact_time = stored_time;
  for (int b = 0; b < effort.batches; ++b) {
    stored_time = std::min(stored_time, time_calls({1, effort.batch_seconds}, [&] { stored(); }).fastest);
    compact_time = std::min(compact_time, time_calls({1, effort.batch_seconds}, [&] { compact(); }).fastest);
  }
  fmt::print("| {} x {} | {} | {} | {} | {:.0f} | {:.0f} | {:.1f} | {:.1f} | {:.2f} |\n", size.rows, size.columns,
             size.bins, objective == backend::StepObjective::projected ? "projected" : "squared error", stored.drawn(),
             stored.kilobytes(), compact.kilobytes(), 1e6 * stored_time, 1e6 * compact_time,
             stored_time / compact_time);
  std::fflush(stdout);
}

void run(const TimingEffort& effort) {
  fmt::print("hardware: {}; seed {}; {} logistic units, 1 output, 1 thread\n\n", hardware(), seed, units);
  fmt::print(
      "| rows x columns | bins | objective | features drawn | stored KiB | compact KiB | stored µs | compact µs | "
      "speedup "
      "|\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  for (const Size& size : {Size{500, 8, 8},
                           {500, 8, 64},
                           {1'000, 8, 64},
                           {2'000, 8, 64},
                           {4'000, 8, 64},
                           {8'600, 4, 64},
                           {17'000, 10, 8},
                           {50'000, 10, 8}})
    for (const double fraction : {0.5, 1.0})
      for (const backend::StepObjective objective :
           {backend::StepObjective::squared_error, backend::StepObjective::projected})
        compare(size, objective, fraction, effort);
}

}  // namespace
}  // namespace accrete::bench

int main(int count, char** words) {
  accrete::bench::TimingEffort effort{60, 0.004};  // short batches, many of which run undisturbed
  if (count == 2 && !std::strcmp(words[1], "--quick")) {
    effort = {5, 0.004};
  } else if (count > 1) {
    std::fputs("usage: bench_bins [--quick]\n", stderr);
    return 2;
  }
  accrete::bench::run(effort);
}
