// Contributions of rows against their prediction, for dense weights and for lookup tables.
//
//   ./dev bench explain [ROWS]
//
// Two random networks of 200 units: 30 numbers without bins; and 12 columns, of which 9 are numbers with 64 bins and 3
// are categories of 10, 60 and 300 levels. One thread, CPU time, the fastest of six alternating calls. The goal is a
// ratio of at most 3 for one output.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <string>
#include <vector>

#include "accrete/core/random.hpp"
#include "accrete/explain/contributions.hpp"

namespace {

using accrete::core::Rng;
using accrete::model::Model;

constexpr std::size_t units = 200;

std::vector<accrete::data::Input> make_inputs(bool wide) {
  std::vector<accrete::data::Input> inputs;
  for (std::size_t i = 0; i < (wide ? 9 : 30); ++i) {
    inputs.push_back({.name = "x" + std::to_string(i)});
    for (std::size_t j = 0; wide && j <= 64; ++j) {
      inputs.back().knots.push_back(static_cast<float>(j) / 16.0f - 2.0f);
      if (j > 0) inputs.back().bin_means.push_back(0.5), inputs.back().bin_scales.push_back(0.5);
    }
  }
  for (const std::size_t levels : {10, 60, 300}) {
    if (!wide) break;
    inputs.push_back({.name = "c" + std::to_string(levels), .kind = accrete::data::Column::Kind::text});
    inputs.back().shares.assign(levels, 1.0 / static_cast<double>(levels));
    for (std::size_t l = 0; l < levels; ++l) inputs.back().levels.push_back(std::to_string(l));
  }
  return inputs;
}

Model make_model(bool wide, std::size_t outputs, const char* activation) {
  Rng rng(1, outputs, accrete::core::Purpose::generator);
  const auto numbers = [&](std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(0.1 * rng.normal());
    return values;
  };
  Model model;
  model.loss = accrete::loss::Loss::named("squared");
  model.target_shift.assign(outputs, 0.0), model.target_scale.assign(outputs, 1.0);
  model.encoder = accrete::data::Encoder(make_inputs(wide));
  const std::size_t features = model.encoder.features();
  model.network = accrete::network::Network({.activation = accrete::activation::Activation::named(activation),
                                             .features = features,
                                             .outputs = outputs,
                                             .step_ends = {units},
                                             .hidden_weights = numbers(units * features),
                                             .hidden_bias = numbers(units),
                                             .output_weights = numbers(units * outputs),
                                             .prefix_bias = std::vector<double>(2 * outputs)});
  return model;
}

accrete::data::Table make_table(const Model& model, std::size_t rows) {
  Rng rng(2, rows, accrete::core::Purpose::generator);
  accrete::data::Table table;
  for (const auto& input : model.encoder.inputs()) {
    table.columns.push_back({.name = input.name, .kind = input.kind, .levels = input.levels});
    for (std::size_t r = 0; r < rows; ++r)
      if (input.levels.empty())
        table.columns.back().numbers.push_back(static_cast<float>(rng.normal()));
      else
        table.columns.back().codes.push_back(static_cast<std::int32_t>(rng.below(input.levels.size())));
  }
  return table;
}

template <class Call>
void keep_fastest(double& seconds, const Call& call) {
  const std::clock_t start = std::clock();
  const auto result = call();
  seconds = std::min(seconds, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
}

void measure(bool wide, std::size_t outputs, const char* activation, std::size_t rows) {
  accrete::core::Workers one(1);
  const Model model = make_model(wide, outputs, activation);
  const accrete::data::Table table = make_table(model, rows);
  double predict = 1e9, explain = 1e9;
  for (int round = 0; round < 6; ++round) {
    keep_fastest(predict, [&] { return accrete::model::predict(model, table, 1, one); });
    keep_fastest(explain, [&] { return accrete::explain::contributions(model, table, 1, one); });
  }
  const double scale = 1e9 / static_cast<double>(rows);
  std::printf("%-22s %-9s %7zu %12.0f %12.0f %7.2f\n", wide ? "bins and categories" : "numbers", activation, outputs,
              scale * predict, scale * explain, explain / predict);
}

}  // namespace

int main(int count, char** words) {
  const std::size_t rows = count > 1 ? std::stoul(words[1]) : 20'000;
  std::printf("%-22s %-9s %7s %12s %12s %7s\n", "columns", "units", "outputs", "predict, ns", "explain, ns", "ratio");
  for (const bool wide : {false, true})
    for (const std::size_t outputs : {1, 5})
      for (const char* activation : accrete::activation::All::names) measure(wide, outputs, activation, rows);
}
