// One evaluation over binned numbers: their ramps stored as columns like any other, and from the numbers themselves,
// where few ramps are computed a tile at a time and many are looked up.
//
//   ./dev bench bins [--quick]
//
// Both ways give the same, which is checked first: value and every number of the gradient. Their times, one thread
// each, say from what size on computing is cheaper (data::most_whole_bytes), and from how many bins looking up. Times
// are the fastest of batches, which alternate between the two, so that a slower moment of the machine meets both.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>

#include "accrete/backend/rows.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/encode_parts.hpp"
#include "bench/support/machine.hpp"
#include "bench/support/timing.hpp"

namespace accrete::bench {
namespace {

constexpr std::uint64_t seed = 1;
constexpr std::size_t units = 4;

struct Size {
  std::size_t rows, columns, bins;
};

data::Table random_table(const Size& size) {
  core::Rng rng(seed, size.rows, core::Purpose::generator);
  data::Table table{"made", std::vector<data::Column>(size.columns)};
  for (std::size_t c = 0; c < size.columns; ++c) {
    table.columns[c].name = fmt::format("x{}", c);
    for (std::size_t r = 0; r < size.rows; ++r) table.columns[c].numbers.push_back(static_cast<float>(rng.normal()));
  }
  return table;
}

/// Rows whose ramps are stored when they take at most so many bytes, with a view and a point: what a solver would call.
class Evaluation {
 public:
  Evaluation(const Size& size, backend::Fit fit, double fraction, std::size_t most_whole) {
    const data::Table table = random_table(size);
    std::vector<std::size_t> rows(size.rows), columns(size.columns);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    const auto encoder = data::Encoder::fit(table, columns, {rows}, {.bins = size.bins});
    const std::span<const std::size_t> parts[] = {rows};
    data_.features = std::move(data::encode_parts(encoder, {table}, parts, one_, most_whole).front());
    data_.targets = core::Matrix<double>(size.rows, 1);
    core::Rng rng(seed, 1, core::Purpose::rows);
    for (double& y : data_.targets.flat()) y = rng.normal();
    data_.weights.assign(size.rows, 1.0);
    rows_ = backend::make_cpu_rows(
        {data_, 1, loss::Loss::named("squared"), activation::Activation::named("logistic"), one_});
    rows_->start(std::vector<double>(1, 0.0));
    rows_->take_residuals(false);

    const std::size_t width = data_.features.cols();
    const auto drawn = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(width)));
    features_ = core::Rng(seed, 0, core::Purpose::features).choose(width, drawn);
    const backend::BlockShape shape{features_.size(), units, 1};
    rows_->look_at({{}, features_, units, fit, 1e-4});
    point_.resize(fit == backend::Fit::projected ? shape.hidden_size() : shape.size());
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
  std::unique_ptr<backend::Rows> rows_;
  std::vector<std::size_t> features_;
  std::vector<double> point_, gradient_;
};

/// Products of stored and of computed ramps have the same bits; what is looked up is rounded otherwise.
bool differ(Evaluation& whole, Evaluation& compact, bool looked_up) {
  double value = whole(), largest = 0.0, difference = std::abs(value - compact()) / std::abs(value);
  for (const double g : whole.gradient()) largest = std::max(largest, std::abs(g));
  for (std::size_t i = 0; i < whole.gradient().size(); ++i)
    difference = std::max(difference, std::abs(whole.gradient()[i] - compact.gradient()[i]) / largest);
  return !(difference <= (looked_up ? 1e-5 : 0.0));
}

void compare(const Size& size, backend::Fit fit, double fraction, const Effort& effort) {
  Evaluation whole(size, fit, fraction, std::numeric_limits<std::size_t>::max()), compact(size, fit, fraction, 0);
  if (differ(whole, compact, size.bins >= data::bins_looked_up)) {
    fmt::print(stderr, "bins: {} x {}, {} bins: the two ways differ\n", size.rows, size.columns, size.bins);
    std::exit(1);
  }
  double stored = std::numeric_limits<double>::infinity(), computed = stored;
  for (int b = 0; b < effort.batches; ++b) {
    stored = std::min(stored, time_calls({1, effort.batch_seconds}, [&] { whole(); }).fastest);
    computed = std::min(computed, time_calls({1, effort.batch_seconds}, [&] { compact(); }).fastest);
  }
  fmt::print("| {} x {} | {} | {} | {} | {:.0f} | {:.0f} | {:.1f} | {:.1f} | {:.2f} |\n", size.rows, size.columns,
             size.bins, fit == backend::Fit::projected ? "projected" : "squares", whole.drawn(), whole.kilobytes(),
             compact.kilobytes(), 1e6 * stored, 1e6 * computed, stored / computed);
  std::fflush(stdout);
}

void run(const Effort& effort) {
  fmt::print("machine: {}; seed {}; {} logistic units, 1 output, 1 thread\n\n", machine(), seed, units);
  fmt::print(
      "| rows x columns | bins | fit | features drawn | stored KiB | compact KiB | stored µs | compact µs | times |\n");
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
      for (const backend::Fit fit : {backend::Fit::squares, backend::Fit::projected})
        compare(size, fit, fraction, effort);
}

}  // namespace
}  // namespace accrete::bench

int main(int count, char** words) {
  accrete::bench::Effort effort{60, 0.004};  // short batches: many of them meet no other work of the machine
  if (count == 2 && !std::strcmp(words[1], "--quick")) {
    effort = {5, 0.004};
  } else if (count > 1) {
    std::fputs("usage: bench_bins [--quick]\n", stderr);
    return 2;
  }
  accrete::bench::run(effort);
}
