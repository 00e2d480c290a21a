// The file's structure, read back with ONNX's own schema. That it computes what the model does is for
// tests/python/test_onnx.py, where ONNX Runtime is.

#include "accrete/onnx/onnx.hpp"

#include <gtest/gtest.h>
#include <onnx.pb.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "accrete/core/error.hpp"
#include "accrete/core/version.hpp"
#include "tests/io/sample_model.hpp"

namespace accrete::onnx {
namespace {

using Tensor = ::onnx::TensorProto;

::onnx::ModelProto read_back(const model::Model& model, bool dial = false) {
  ::onnx::ModelProto proto;
  EXPECT_TRUE(proto.ParseFromString(write(model, {.dial = dial})));
  return proto;
}

const Tensor& constant(const ::onnx::ModelProto& proto, const std::string& name) {
  for (const Tensor& tensor : proto.graph().initializer())
    if (tensor.name() == name) return tensor;
  ADD_FAILURE() << "no constant " << name;
  return Tensor::default_instance();
}

const ::onnx::NodeProto* find_node(const ::onnx::ModelProto& proto, const std::string& operation) {
  for (const ::onnx::NodeProto& node : proto.graph().node())
    if (node.op_type() == operation) return &node;
  return nullptr;
}

/// "name: type [N, columns]"
template <class Values>
std::vector<std::string> signatures(const Values& values) {
  std::vector<std::string> found;
  for (const auto& value : values) {
    std::string text = value.name() + ": " + std::to_string(value.type().tensor_type().elem_type());
    for (const auto& dim : value.type().tensor_type().shape().dim())
      text += dim.has_dim_param() ? " " + dim.dim_param() : " " + std::to_string(dim.dim_value());
    found.push_back(text);
  }
  return found;
}

std::map<std::string, std::string> metadata(const ::onnx::ModelProto& proto) {
  std::map<std::string, std::string> facts;
  for (const auto& entry : proto.metadata_props()) facts[entry.key()] = entry.value();
  return facts;
}

using Signatures = std::vector<std::string>;

TEST(Onnx, SaysWhatItIs) {
  const auto proto = read_back(io::multiclass_model());
  EXPECT_EQ(proto.ir_version(), 8);
  EXPECT_EQ(proto.producer_name(), "accrete");
  EXPECT_EQ(proto.producer_version(), core::version());
  ASSERT_EQ(proto.opset_import_size(), 2);
  EXPECT_EQ(proto.opset_import(0).domain(), "");
  EXPECT_EQ(proto.opset_import(0).version(), 13);
  EXPECT_EQ(proto.opset_import(1).domain(), "ai.onnx.ml");
  EXPECT_EQ(proto.opset_import(1).version(), 2);
  const auto facts = metadata(proto);
  EXPECT_EQ(facts.at("accrete_version"), "0.1.0");
  EXPECT_EQ(facts.at("task"), "multiclass");
  EXPECT_EQ(facts.at("units"), "3");
  const auto list = [&](const char* key) { return nlohmann::json::parse(facts.at(key)).get<Signatures>(); };
  EXPECT_EQ(list("classes"), io::multiclass_model().classes);
  EXPECT_EQ(list("targets"), io::multiclass_model().targets);
  EXPECT_EQ(list("inputs"), (Signatures{"größe", ""}));
}

TEST(Onnx, NumbersAreOneInputAndNeedNoOtherDomain) {
  const auto proto = read_back(io::small_model());
  EXPECT_EQ(proto.opset_import_size(), 1);
  EXPECT_EQ(signatures(proto.graph().input()), Signatures{"X: 1 N 2"});
  EXPECT_EQ(signatures(proto.graph().output()), Signatures{"variable: 1 N 1"});
  for (const auto& node : proto.graph().node()) EXPECT_EQ(node.domain(), "");
}

TEST(Onnx, TextsMakeEveryColumnAnInput) {
  const auto proto = read_back(io::binary_model());
  EXPECT_EQ(signatures(proto.graph().input()), (Signatures{"größe: 1 N 1", "_: 8 N 1"}));
  EXPECT_EQ(proto.graph().input(1).doc_string(), "");
  EXPECT_EQ(signatures(proto.graph().output()), (Signatures{"label: 8 N", "probabilities: 1 N 2"}));
}

TEST(Onnx, AColumnGivesWayToAnOutputOfItsName) {
  model::Model model = io::binary_model();
  auto inputs = model.encoder.inputs();
  inputs[0].name = "units";
  inputs[1].name = "probabilities";
  model.encoder = data::Encoder(inputs);
  EXPECT_EQ(signatures(read_back(model).graph().input()), (Signatures{"units: 1 N 1", "probabilities_: 8 N 1"}));
  EXPECT_EQ(signatures(read_back(model, true).graph().input()),
            (Signatures{"units_: 1 N 1", "probabilities_: 8 N 1", "units: 7 1"}));
}

TEST(Onnx, EveryValueIsMadeOnceAndBeforeItIsUsed) {
  for (const bool dial : {false, true})
    for (model::Model model : {io::small_model(), io::binary_model(), io::multiclass_model(), io::binned_model()}) {
      auto inputs = model.encoder.inputs();
      inputs[0].name = "hidden";  // as values of the graph are called
      inputs[1].name = "scores";
      model.encoder = data::Encoder(inputs);
      const auto proto = read_back(model, dial);
      std::set<std::string> made;
      for (const Tensor& tensor : proto.graph().initializer()) EXPECT_TRUE(made.insert(tensor.name()).second);
      for (const auto& input : proto.graph().input())
        EXPECT_EQ(made.insert(input.name()).second, input.name() != "units") << input.name();
      for (const auto& node : proto.graph().node()) {
        for (const auto& name : node.input()) EXPECT_TRUE(made.contains(name)) << name;
        for (const auto& name : node.output()) EXPECT_TRUE(made.insert(name).second) << name;
      }
      for (const auto& output : proto.graph().output()) EXPECT_TRUE(made.contains(output.name()));
    }
}

TEST(Onnx, LabelsAreWholeNumbersWhenAllAre) {
  model::Model model = io::binary_model();
  model.classes = {"-1", "2.0"};
  auto proto = read_back(model);
  EXPECT_EQ(signatures(proto.graph().output())[0], "label: 7 N");
  const Tensor& classes = constant(proto, "classes");
  EXPECT_EQ(std::vector(classes.int64_data().begin(), classes.int64_data().end()), (std::vector<std::int64_t>{-1, 2}));
  for (const std::vector<std::string>& others :
       {std::vector<std::string>{"1", "x"}, {"1", "1.5"}, {"1", "01"}, {"1", "1e300"}, {"1", "inf"}}) {
    model.classes = others;
    proto = read_back(model);
    EXPECT_EQ(signatures(proto.graph().output())[0], "label: 8 N");
    const Tensor& texts = constant(proto, "classes");
    EXPECT_EQ(std::vector<std::string>(texts.string_data().begin(), texts.string_data().end()), others);
  }
}

TEST(Onnx, LabelsTooLargeForDoubleKeepEveryDigit) {
  model::Model model = io::binary_model();
  model.classes = {"5", "9007199254740993"};
  const auto proto = read_back(model);
  const Tensor& classes = constant(proto, "classes");
  EXPECT_EQ(std::vector(classes.int64_data().begin(), classes.int64_data().end()),
            (std::vector<std::int64_t>{5, 9007199254740993}));
}

TEST(Onnx, TheBiasIsThatOfTheWholeNetwork) {
  const model::Model model = io::small_model();
  const Tensor bias = constant(read_back(model), "output_bias");
  ASSERT_EQ(bias.float_data_size(), 1);
  EXPECT_FLOAT_EQ(bias.float_data(0), static_cast<float>(1.0 / 7.0 + 2.5 * (0.125 + 2.0 / 3.0)));
}

TEST(Onnx, TheDialHasTheBiasOfEveryPrefix) {
  const auto proto = read_back(io::small_model(), true);
  EXPECT_EQ(signatures(proto.graph().input()), (Signatures{"X: 1 N 2", "units: 7 1"}));
  EXPECT_EQ(constant(proto, "units").int64_data(0), 3);
  const Tensor& after = constant(proto, "units_after");
  EXPECT_EQ(std::vector(after.int64_data().begin(), after.int64_data().end()), (std::vector<std::int64_t>{1, 1, 3}));
  const Tensor& bias = constant(proto, "output_bias");
  ASSERT_EQ(bias.float_data_size(), 3);
  for (int steps = 0; steps <= 2; ++steps)
    EXPECT_FLOAT_EQ(bias.float_data(steps), static_cast<float>(1.0 / 7.0 + 2.5 * (0.125 + std::max(1, steps) / 3.0)));
}

TEST(Onnx, ScalesAreInTheWeightsAndMeansInFront) {
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

TEST(Onnx, BinsFollowTheNumbersAndKeepTheirKnots) {
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

TEST(Onnx, ALevelAndAGapHaveRowsOfTheTable) {
  model::Model model = io::binary_model();
  auto inputs = model.encoder.inputs();
  inputs[1].indicator = true;
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
  EXPECT_EQ(place.at("NA"), 1);  // a level, though it reads like a gap
  for (const char* word : {"", "na", "Na", "N/A", "?", "NaN", "NULL", "None"}) EXPECT_EQ(place.at(word), 3) << word;
  for (const auto& [word, at] : place) {
    EXPECT_TRUE(at != 3 || data::is_missing(word)) << word;
  }
}

TEST(Onnx, SameModelSameBytes) {
  for (const bool dial : {false, true})
    EXPECT_EQ(write(io::multiclass_model(), {.dial = dial}), write(io::multiclass_model(), {.dial = dial}));
}

TEST(Onnx, EveryActivationAndLossCanBeWritten) {
  for (const char* name : activation::All::names) {
    model::Model model = io::small_model();
    network::Network network(2, activation::Activation::named(name), std::vector<double>{0.5});
    network.append(model.network.block(0));
    model.network = network;
    EXPECT_NO_THROW(write(model)) << name;
  }
  for (const char* name : loss::All::names) {
    const loss::Loss loss = loss::Loss::named(name);
    model::Model model = loss.link() == loss::Link::sigmoid   ? io::binary_model()
                         : loss.link() == loss::Link::softmax ? io::multiclass_model()
                                                              : io::small_model();
    model.loss = loss;
    EXPECT_NO_THROW(write(model)) << name;
  }
}

TEST(Onnx, ANetworkWithoutUnitsIsItsStartValue) {
  const auto proto = read_back(io::empty_model());
  EXPECT_EQ(metadata(proto).at("units"), "0");
  EXPECT_EQ(constant(proto, "output_weights").float_data(0), 0.0f);
  EXPECT_FLOAT_EQ(constant(proto, "output_bias").float_data(0), static_cast<float>(1.0 / 7.0 + 2.5 * 0.125));
  EXPECT_THROW(write(io::empty_model(), {.dial = true}), core::UsageError);
}

TEST(Onnx, WhatCannotBeWrittenIsRefused) {
  const auto with_input = [](data::Input input) {
    model::Model model = io::small_model();
    model.encoder = data::Encoder({std::move(input), {.name = "b"}});
    return model;
  };
  EXPECT_THROW(write(with_input({.name = "a", .mean = 1e31})), core::UsageError);
  EXPECT_THROW(write(with_input({.name = "a", .scale = 1e-31})), core::UsageError);
  EXPECT_THROW(write(with_input({.name = "a", .scale = 1e31})), core::UsageError);
  const auto with_bins = [&](std::vector<float> knots, double scale) {
    model::Model model =
        with_input({.name = "a", .knots = std::move(knots), .bin_means = {0.5, 0.5}, .bin_scales = {0.25, scale}});
    model.network = io::sample_network(4, 1, 2);
    return model;
  };
  EXPECT_NO_THROW(write(with_bins({0.0f, 1.0f, 2.0f}, 0.25)));
  EXPECT_THROW(write(with_bins({0.0f, 1e29f, 1.1e30f}, 0.25)), core::UsageError);
  EXPECT_THROW(write(with_bins({0.0f, 1.0f, 2.0f}, 1e-31)), core::UsageError);
  EXPECT_THROW(write(with_input({.name = "caf\xE9"})), core::UsageError);
  EXPECT_THROW(write(with_input({.name = std::string("a\0b", 3)})), core::UsageError);
  model::Model model = io::small_model();
  model.target_scale = {1e-35};
  EXPECT_THROW(write(model), core::UsageError);
  model.target_scale = {1e35};
  EXPECT_THROW(write(model), core::UsageError);
  model.target_scale = {1e30};
  model.target_shift = {1e39};
  EXPECT_THROW(write(model), core::DataError);
  model = io::small_model();
  model.targets.clear();
  EXPECT_THROW(write(model), core::DataError);
}

}  // namespace
}  // namespace accrete::onnx
