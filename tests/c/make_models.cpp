// Writes NAME.safetensors and NAME.expected for the C programs in this folder: models of every task and the C++
// library's predictions. usage: make_models FOLDER

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "accrete/core/random.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/model/model.hpp"

namespace accrete {
namespace {

constexpr std::size_t steps = 5, units_per_step = 3, rows = 16;
constexpr auto text = data::Column::Kind::text;

network::Network random_network(std::size_t features, std::size_t outputs, core::Rng& rng) {
  network::Network network(features, activation::Activation::named("tanh"), std::vector<double>(outputs, 0.125));
  const auto draw = [&](auto& values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(rng.normal()));
  };
  for (std::size_t step = 0; step < steps; ++step) {
    network::Block block;
    block.units = units_per_step;
    block.outputs = outputs;
    for (std::size_t i = 0; i < features; ++i) block.features.push_back(i);
    draw(block.hidden_weights, block.units * features);
    draw(block.hidden_bias, block.units);
    draw(block.output_weights, block.units * outputs);
    draw(block.output_bias, outputs);
    network.append(block);
  }
  return network;
}

struct ModelSpec {
  data::Task task;
  const char* loss;
  std::vector<std::string> targets = {}, classes = {};
  std::vector<data::Input> inputs = {};
};

model::Model make(const ModelSpec& spec, core::Rng& rng) {
  model::Model model;
  model.task = spec.task;
  model.loss = loss::Loss::named(spec.loss);
  model.targets = spec.targets;
  model.classes = spec.classes;
  model.target_shift.assign(spec.targets.size(), 1.0 / 7.0);
  model.target_scale.assign(spec.targets.size(), 2.5);
  model.encoder = data::Encoder(spec.inputs);
  const std::size_t outputs = spec.task == data::Task::multiclass ? spec.classes.size() : spec.targets.size();
  model.network = random_network(model.encoder.features(), outputs, rng);
  model.provenance.version = "0.1.0";
  model.provenance.parameters = {{"units", "16"}};  // rounded down to 15, complete steps
  return model;
}

/// Random numbers and levels, with some missing values and unseen levels.
std::vector<float> random_row(const model::Model& model, core::Rng& rng) {
  std::vector<float> row;
  for (const data::Input& input : model.encoder.inputs()) {
    const double x = input.kind == text ? static_cast<double>(rng.below(input.levels.size() + 1)) : 3.0 * rng.normal();
    row.push_back(rng.uniform() < 0.2 ? std::nanf("") : static_cast<float>(x));
  }
  return row;
}

/// One line per setting of the dial and row: units, the row, its prediction; in hexadecimal, to keep every bit.
std::string expected(const model::Model& model, core::Rng& rng) {
  const std::size_t outputs = model.classes.empty() ? model.targets.size() : model.classes.size();
  std::vector<std::vector<float>> table;
  for (std::size_t r = 0; r < rows; ++r) table.push_back(random_row(model, rng));
  std::vector<float> workspace(model::workspace_size(model));
  std::vector<double> prediction(outputs);
  std::string lines;
  for (const std::size_t units : {0, 3, 7, 15, 16})
    for (const auto& row : table) {
      model::predict_row(model, row, model.steps_for(units), workspace, prediction);
      lines += fmt::format("{}", units);
      for (const float x : row) lines += std::isnan(x) ? " nan" : fmt::format(" {:a}", x);
      for (const double p : prediction) lines += fmt::format(" {:a}", p);
      lines += "\n";
    }
  return lines;
}

std::vector<ModelSpec> all() {
  const data::Input size{.name = "größe", .mean = 0.1, .scale = 0.3, .gap_flag = true};
  const data::Input weight{.name = "weight", .mean = -2.0, .scale = 7.0};
  const data::Input colour{.name = "colour",
                           .kind = text,
                           .gap_flag = true,
                           .levels = {"red", "grün", "blue"},
                           .shares = {0.5, 0.25, 0.2},
                           .format = {.missing = {"not given"}}};
  data::Input word{.name = "word", .kind = text};
  for (std::size_t l = 0; l < 5000; ++l) word.levels.push_back(fmt::format("w{}", l)), word.shares.push_back(2e-4);
  const data::Input age{.name = "age",
                        .mean = 0.5,
                        .scale = 2.0,
                        .gap_flag = true,
                        .knots = {-3.0f, -1.0f, 0.25f, 4.0f},
                        .bin_means = {0.9, 0.5, 0.2},
                        .bin_scales = {0.2, 0.4, 0.3}};
  const std::vector<std::string> yes_no{"no", "yes"}, numbers{"one", "two", "three"};
  using data::Task;
  return {
      {.task = Task::regression, .loss = "squared", .targets = {"y", "z"}, .inputs = {size, weight}},
      {.task = Task::binary, .loss = "logistic", .targets = {"sold"}, .classes = yes_no, .inputs = {weight, colour}},
      {.task = Task::multiclass,
       .loss = "softmax",
       .targets = {"kind"},
       .classes = numbers,
       .inputs = {size, colour, weight}},
      {.task = Task::regression, .loss = "squared", .targets = {"y"}, .inputs = {weight, word}},
      {.task = Task::binary,
       .loss = "logistic",
       .targets = {"sold"},
       .classes = yes_no,
       .inputs = {weight, age, colour}}};
}

void write_all(const std::string& folder) {
  constexpr const char* names[] = {"regression", "binary", "multiclass", "wide", "bins"};
  core::Rng rng(1, 0, core::Purpose::generator);
  const auto specs = all();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::string path = folder + "/" + names[i];
    const model::Model model = make(specs[i], rng);
    io::save_model(model, path + ".safetensors");
    std::ofstream(path + ".expected") << expected(model, rng);
  }
}

}  // namespace
}  // namespace accrete

int main(int argc, char** argv) {
  if (argc != 2) return std::cerr << "usage: make_models FOLDER\n", 2;
  accrete::write_all(argv[1]);
  return 0;
}
