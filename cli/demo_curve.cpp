// The curve of accuracy over units.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/demo_figure.hpp"

namespace accrete::cli {

Canvas draw_curve(const Experiment& experiment) {
  using Align = Lettering::Align;
  constexpr Paint ink{{0x1c, 0x20, 0x24}, "--ink"}, muted{{0x57, 0x60, 0x6a}, "--muted"};
  constexpr Paint faint{{0xdd, 0xe1, 0xe6}, "--faint"}, accent{{0x1f, 0x77, 0x8e}, "--accent"};
  constexpr Box box{50.0, 34.0, 375.0, 220.0};
  constexpr double bottom = box.y + box.height, right = box.x + box.width;
  Canvas canvas(440.0, 306.0, 1.0, "Test accuracy over the number of units used");

  // Steps of 5 %, with room above for the word on the Bayes line.
  const double lowest = *std::min_element(experiment.accuracies.begin(), experiment.accuracies.end());
  const double highest = *std::max_element(experiment.accuracies.begin(), experiment.accuracies.end());
  const int low = static_cast<int>(std::floor(lowest * 20.0)) * 5;
  const int high = static_cast<int>(std::ceil(std::max(highest, experiment.bayes) * 20.0 + 0.3)) * 5;
  const auto height = [&](double accuracy) { return bottom - box.height * (100.0 * accuracy - low) / (high - low); };
  const auto place = [&](std::size_t units) {
    return box.x + box.width * static_cast<double>(units - 1) / static_cast<double>(Experiment::units - 1);
  };

  for (int value = low; value <= high; value += 5) {
    const double y = height(value / 100.0);
    const Segment line[] = {{{box.x, y}, {right, y}}};
    canvas.lines(line, {faint, 1.0});
    canvas.text({box.x - 8.0, y + 4.5}, fmt::format("{} %", value), {14.0, muted, Align::right, false});
  }
  for (const std::size_t units : {1, 20, 40, 60, 80, 100}) {
    const Segment tick[] = {{{place(units), bottom}, {place(units), bottom + 4.0}}};
    canvas.lines(tick, {muted, 1.0});
    canvas.text({place(units), bottom + 19.0}, fmt::format("{}", units), {14.0, muted, Align::centre, false});
  }
  canvas.text({4.0, 16.0}, "test accuracy", {14.0, ink, Align::left, false});
  canvas.text({box.x + box.width / 2.0, bottom + 42.0}, "units used", {14.0, ink, Align::centre, false});

  const double best = height(experiment.bayes);
  const Segment bayes[] = {{{box.x, best}, {right, best}}};
  canvas.lines(bayes, {ink, 1.4, true});
  canvas.text({right, best - 7.0}, "best possible (Bayes) " + percent(experiment.bayes),
              {14.0, ink, Align::right, false});
  std::vector<Point> curve;
  for (std::size_t k = 1; k <= Experiment::units; ++k) curve.push_back({place(k), height(experiment.accuracy(k))});
  canvas.chain(curve, {accent, 2.2});
  return canvas;
}

}  // namespace accrete::cli
