// Learns the exclusive or of two signs from 200 points, then predicts with prefixes of the network.
#include <accrete/accrete.hpp>
#include <accrete/core/random.hpp>
#include <iostream>

int main() {
  accrete::core::Rng rng(1, 0, accrete::core::Purpose::generator);
  std::vector<float> x;
  std::vector<std::string> y;
  for (int i = 0; i < 200; ++i) {
    const float a = static_cast<float>(rng.normal()), b = static_cast<float>(rng.normal());
    x.insert(x.end(), {a, b});
    y.push_back(a * b > 0 ? "same" : "different");
  }
  const accrete::Samples samples{.features = x, .columns = 2, .labels = y};
  const accrete::Model model = accrete::train(samples, {.units = 80, .feature_fraction = 1.0});
  for (std::size_t units : {4, 20, 80}) {
    const auto labels = accrete::predict_labels(model, x, {.units = units});
    int right = 0;
    for (std::size_t r = 0; r < labels.size(); ++r) right += labels[r] == y[r];
    std::cout << units << " units: " << right << " of " << labels.size() << " right\n";
  }
  accrete::save(accrete::prefix(model, 20), "xor.safetensors");
  return accrete::load("xor.safetensors").network.units() == 20 ? 0 : 1;
}
