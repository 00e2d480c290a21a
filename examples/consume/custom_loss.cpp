// A loss that accrete does not have: the Cauchy loss, which ignores outliers. The fit sees 200 points of a sine wave,
// of which every tenth is far off.
#include <accrete/accrete.hpp>
#include <accrete/core/random.hpp>
#include <accrete/loss/custom.hpp>
#include <cmath>
#include <iostream>

struct Cauchy {
  double value(double y, double score) const { return std::log1p((y - score) * (y - score)); }
  double derivative(double y, double score) const { return 2 * (score - y) / (1 + (y - score) * (y - score)); }
  // The second derivative is negative for outliers. This upper bound makes shorter, safe steps.
  double curvature(double y, double score) const { return 2 / (1 + (y - score) * (y - score)); }
};

double mean_error(const accrete::Model& model, const std::vector<float>& x, const std::vector<double>& truth) {
  const auto predictions = accrete::predict(model, x);
  double sum = 0;
  for (std::size_t r = 0; r < truth.size(); ++r) sum += std::abs(predictions(r, 0) - truth[r]);
  return sum / static_cast<double>(truth.size());
}

int main() {
  accrete::core::Rng rng(1, 0, accrete::core::Purpose::generator);
  std::vector<float> x;
  std::vector<double> truth, y;
  for (int i = 0; i < 200; ++i) {
    x.push_back(static_cast<float>(rng.uniform(-3.0, 3.0)));
    truth.push_back(std::sin(static_cast<double>(x.back())));
    y.push_back(i % 10 == 0 ? 50.0 : truth.back() + 0.1 * rng.normal());
  }
  const accrete::Samples samples{.features = x, .columns = 1, .targets = y};
  const auto squared = accrete::train(samples, {.units = 40}, {.task = accrete::Task::regression});
  const auto robust =
      accrete::train(samples, {.units = 40, .loss = "custom"},
                     {.task = accrete::Task::regression, .custom_loss = accrete::loss::make_custom(Cauchy{})});
  const double with_squared = mean_error(squared, x, truth), with_cauchy = mean_error(robust, x, truth);
  std::cout << "mean error: squared " << with_squared << ", Cauchy " << with_cauchy << "\n";
  return with_cauchy < 0.2 * with_squared ? 0 : 1;
}
