// The controller in front of a simulated queue: a clock that only these tests advance.

#include "accrete/serve/dial_controller.hpp"

#include <algorithm>
#include <deque>
#include <vector>

#include <gtest/gtest.h>

namespace accrete::serve::dial_controller_test {
namespace {

constexpr double budget = 0.02;
constexpr std::size_t all_units = 1000;

/// One server that predicts everything that waits as one batch. Requests of 16 rows arrive at a constant rate.
class Simulation {
 public:
  /// load: multiple of what the server can take with all units. Returns the time of each request.
  std::vector<double> run(double load, double duration) {
    std::vector<double> times;
    const double interval = seconds_per_row_unit * rows * all_units / load;
    const double end = now_ + duration;
    double next = now_;
    std::deque<double> queue;
    while (now_ < end) {
      for (; next <= now_; next += interval) queue.push_back(next);
      if (queue.empty()) {
        now_ = next;
        continue;
      }
      const std::size_t waiting = rows * queue.size();
      last_units_ = controller_.choose(now_, {.rows = waiting, .oldest = now_ - queue.front()});
      const double seconds = fixed + seconds_per_row_unit * static_cast<double>(waiting * last_units_);
      now_ += seconds;
      busy_ += seconds;
      controller_.finish_batch(now_, waiting, last_units_, seconds);
      for (const double arrived : queue) {
        times.push_back(now_ - arrived);
        controller_.finish_request(now_, now_ - arrived);
      }
      queue.clear();
    }
    return times;
  }

  std::size_t last_units() const { return last_units_; }
  double busy() const { return busy_; }  ///< seconds of prediction

 private:
  static constexpr std::size_t rows = 16;
  static constexpr double seconds_per_row_unit = 1e-7, fixed = 5e-5;
  DialController controller_{{.latency = budget, .min_units = 50, .max_units = all_units}};
  double now_ = 1.0, busy_ = 0.0;
  std::size_t last_units_ = 0;
};

double quantile(std::vector<double> times, double level) {
  std::ranges::sort(times);
  return times[static_cast<std::size_t>(level * static_cast<double>(times.size() - 1))];
}

TEST(DialController, UsesAllUnitsWithoutLoad) {
  Simulation simulation;
  simulation.run(0.3, 1.0);
  EXPECT_EQ(simulation.last_units(), all_units);
}

TEST(DialController, KeepsTheBudgetUnderFourTimesTheLoad) {
  Simulation simulation;
  simulation.run(0.3, 1.0);
  const auto times = simulation.run(4.0, 5.0);  // from the first moment on
  EXPECT_LT(quantile(times, 0.99), budget);
  EXPECT_LT(simulation.last_units(), all_units / 3);
  EXPECT_GE(simulation.last_units(), 50u);
}

TEST(DialController, LeavesTimeToReadRequestsUnderLoad) {
  Simulation simulation;
  simulation.run(4.0, 1.0);
  const double before = simulation.busy();
  simulation.run(4.0, 5.0);
  EXPECT_LT(simulation.busy() - before, 0.8 * 5.0);
  EXPECT_GT(simulation.busy() - before, 0.5 * 5.0) << "fewer units than the load needs";
}

TEST(DialController, SlowRequestsLowerTheUnitsWhateverTheQueue) {
  DialController controller({.latency = budget, .min_units = 50, .max_units = all_units});
  double now = 1.0;
  const auto answer = [&](int periods, double seconds) {
    for (int i = 0; i < periods; ++i) {
      now += 2.5 * budget;
      controller.finish_request(now, seconds);
    }
    return controller.choose(now, {.rows = 1});
  };
  EXPECT_EQ(answer(3, 0.1 * budget), all_units);
  const std::size_t after_one = answer(1, 0.9 * budget);
  EXPECT_LT(after_one, all_units);
  EXPECT_LT(answer(1, 0.9 * budget), after_one);
  EXPECT_EQ(answer(100, 0.9 * budget), 50u);
  EXPECT_EQ(answer(100, 0.1 * budget), all_units);
}

TEST(DialController, OneLargeRequestDoesNotLowerTheUnits) {
  DialController controller({.latency = 1.0, .min_units = 5, .max_units = 100});
  for (int i = 1; i < 20; ++i) {  // a tenth of the budget each, with all units, and then a pause
    EXPECT_EQ(controller.choose(10.0 * i, {.rows = 10'000}), 100u);
    controller.finish_batch(10.0 * i + 0.1, 10'000, 100, 0.1);
  }
}

TEST(DialController, ReturnsToAllUnitsWhenTheLoadEnds) {
  Simulation simulation;
  simulation.run(4.0, 3.0);
  simulation.run(0.3, 5.0);
  EXPECT_EQ(simulation.last_units(), all_units);
}

TEST(DialController, StaysBetweenItsLimits) {
  DialController controller({.latency = 0.001, .min_units = 5, .max_units = 9});
  for (int i = 1; i < 1000; ++i) {
    const std::size_t units = controller.choose(i, {.rows = 1'000'000, .oldest = 5.0});
    EXPECT_EQ(units, i == 1 ? 9u : 5u);
    controller.finish_batch(i, 1'000'000, units, 10.0);
    controller.finish_request(i, 10.0);
  }
}

}  // namespace
}  // namespace accrete::serve::dial_controller_test
