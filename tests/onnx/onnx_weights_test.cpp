// The constants of ONNX files: weights, biases, tables of categories.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/onnx/read_back.hpp"

namespace accrete::onnx::onnx_weights_test {
namespace {

TEST(Onnx, UsesTheBiasOfTheLastPrefix) {
  const model::Model model = io::small_model();
  const Tensor bias = constant(read_back(model), "output_bias");
  ASSERT_EQ(bias.float_data_size(), 1);
  EXPECT_FLOAT_EQ(bias.float_data(0), static_cast<float>(1.0 / 7.0 + 2.5 * (0.125 + 2.0 / 3.0)));
}

TEST(Onnx, WritesTheBiasOfEveryPrefixForTheDial) {
  const auto proto = read_back(io::small_model(), true);
  EXPECT_EQ(signatures(proto.graph().input()), (Signatures{"X: 1 N 2", "units: 7 1"}));
  for (const Tensor& tensor : proto.graph().initializer())
    EXPECT_NE(tensor.name(), "units") << "the input units has no default value";
  const Tensor& after = constant(proto, "units_after");
  EXPECT_EQ(std::vector(after.int64_data().begin(), after.int64_data().end()), (std::vector<std::int64_t>{1, 1, 3}));
  const Tensor& bias = constant(proto, "output_bias");
  ASSERT_EQ(bias.float_data_size(), 3);
  for (int steps = 0; steps <= 2; ++steps)
    EXPECT_FLOAT_EQ(bias.float_data(steps), static_cast<float>(1.0 / 7.0 + 2.5 * (0.125 + std::max(1, steps) / 3.0)));
}

TEST(Onnx, FoldsScalesIntoWeightsAndSubtractsMeans) {
  model::Model model = io::small_model();
  auto inputs = model.encoder.inputs();
  inputs[1].mean = 1e8 + 3.0;
  model.encoder = data::Encoder(inputs);
  const auto proto = read_back(model);
  EXPECT_EQ(constant(proto, "mean").float_data(1), 1e8f);
  EXPECT_EQ(constant(proto, "missing_value").float_data(1), 3.0f);
  const auto weights = model.network.hidden_weights();
  EXPECT_FLOAT_EQ(constant(proto, "hidden_weights").float_data(1), weights[1] / 7.0f);
  EXPECT_NEAR(constant(proto, "hidden_bias").float_data(0), model.network.hidden_bias()[0] - weights[1] * 3.0f / 7.0f,
              1e-6);
}

TEST(Onnx, WritesBinsAfterTheNumbersWithExactKnots) {
  EXPECT_EQ(find_node(read_back(io::small_model()), "Clip"), nullptr);
  const model::Model model = io::binned_model();
  const auto proto = read_back(model);
  ASSERT_NE(find_node(proto, "Clip"), nullptr);
  const auto floats = [&](const char* name) {
    const Tensor& tensor = constant(proto, name);
    return std::vector<float>(tensor.float_data().begin(), tensor.float_data().end());
  };
  EXPECT_EQ(floats("knot"), (std::vector<float>{-4.5f, -2.0f, 0.1f}));
  EXPECT_EQ(floats("bin_mean"), (std::vector<float>{0.9f, 0.5f, static_cast<float>(1.0 / 3.0)}));
  EXPECT_EQ(floats("bin_low"), std::vector<float>{0.0f});
  EXPECT_EQ(floats("bin_high"), std::vector<float>{1.0f});
  EXPECT_EQ(constant(proto, "bin_low").dims_size(), 0);
  EXPECT_FLOAT_EQ(floats("bin_slope")[0], 0.4f);
  const Tensor& of = constant(proto, "bin_source");
  EXPECT_EQ(std::vector(of.int64_data().begin(), of.int64_data().end()), (std::vector<std::int64_t>{1, 1, 1}));
  const auto weights = model.network.hidden_weights();
  const std::vector<float> scales{0.3f, 7.0f, 0.1f, 0.4f, 0.3f};
  for (std::size_t f = 0; f < 5; ++f) EXPECT_FLOAT_EQ(floats("hidden_weights")[f], weights[f] / scales[f]) << f;
}

TEST(Onnx, WritesATableRowPerLevelAndForMissingValues) {
  model::Model model = io::binary_model();
  auto inputs = model.encoder.inputs();
  inputs[1].gap_flag = true;
  inputs[1].levels = {"red", "NA"};
  inputs[1].shares = {0.0, 0.0};
  model.encoder = data::Encoder(inputs);  // größe, größe missing, red, NA, missing
  const auto proto = read_back(model);
  const Tensor& table = constant(proto, "__table");
  ASSERT_EQ(table.dims(0), 4);
  ASSERT_EQ(table.dims(1), 6);
  const auto weights = model.network.hidden_weights();
  const std::vector<float> expected{weights[2], weights[3], 0.0f, weights[4]};
  for (int row = 0; row < 4; ++row) EXPECT_FLOAT_EQ(table.float_data(row * 6), expected[static_cast<std::size_t>(row)]);
  const auto& encoder = *find_node(proto, "LabelEncoder");
  std::map<std::string, std::int64_t> place;
  for (int i = 0; i < encoder.attribute(0).strings_size(); ++i)
    place[encoder.attribute(0).strings(i)] = encoder.attribute(1).ints(i);
  EXPECT_EQ(encoder.attribute(2).i(), 2);  // not seen in training
  EXPECT_EQ(place.at("red"), 0);
  EXPECT_EQ(place.at("NA"), 1);  // a level, although it is spelt like a missing value
  for (const char* word : {"", "na", "Na", "N/A", "?", "NaN", "NULL", "None"}) EXPECT_EQ(place.at(word), 3) << word;
  for (const auto& [word, at] : place) {
    EXPECT_TRUE(at != 3 || data::is_missing(word)) << word;
  }
}

TEST(OnnxWeights, TakesOtherSpellingsOfANumberForItsLevel) {
  model::Model model = io::binary_model();
  auto inputs = model.encoder.inputs();
  inputs[1].levels = {"007", "1.0", "2", "2.0"};
  inputs[1].shares = {0.0, 0.0, 0.0, 0.0};
  inputs[1].gap_flag = true;
  inputs[1].format.missing = {"-"};
  model.encoder = data::Encoder(inputs);
  model.network = io::sample_network(7, 1, 3);
  const auto proto = read_back(model);
  const auto& encoder = *find_node(proto, "LabelEncoder");
  std::map<std::string, std::int64_t> place;
  for (int i = 0; i < encoder.attribute(0).strings_size(); ++i)
    place[encoder.attribute(0).strings(i)] = encoder.attribute(1).ints(i);
  EXPECT_EQ(place.at("7"), 0);
  EXPECT_EQ(place.at("1"), 1);
  EXPECT_EQ(place.at("1.00"), 1);
  EXPECT_EQ(place.at("2.0"), 3) << "2.0 is a separate level";
  EXPECT_EQ(place.at("2.00"), 2) << "the shortest spelling";
  EXPECT_EQ(place.at("-"), 5) << "missing";
}

}  // namespace
}  // namespace accrete::onnx::onnx_weights_test
