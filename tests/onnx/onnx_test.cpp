// Structure of ONNX files, read back with ONNX's own schema. tests/python/test_onnx.py compares their predictions with
// ONNX Runtime.

#include "accrete/onnx/onnx.hpp"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "accrete/core/error.hpp"
#include "accrete/core/version.hpp"
#include "tests/onnx/read_back.hpp"

namespace accrete::onnx::onnx_test {
namespace {

TEST(Onnx, WritesVersionsAndMetadata) {
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

TEST(Onnx, WritesNumericModelsWithOneInputAndTheDefaultDomain) {
  const auto proto = read_back(io::small_model());
  EXPECT_EQ(proto.opset_import_size(), 1);
  EXPECT_EQ(signatures(proto.graph().input()), Signatures{"X: 1 N 2"});
  EXPECT_EQ(signatures(proto.graph().output()), Signatures{"variable: 1 N 1"});
  for (const auto& node : proto.graph().node()) EXPECT_EQ(node.domain(), "");
}

TEST(Onnx, WritesOneInputPerColumnForCategories) {
  const auto proto = read_back(io::binary_model());
  EXPECT_EQ(signatures(proto.graph().input()), (Signatures{"größe: 1 N 1", "_: 8 N 1"}));
  EXPECT_EQ(proto.graph().input(1).doc_string(), "");
  EXPECT_EQ(signatures(proto.graph().output()), (Signatures{"label: 8 N", "probabilities: 1 N 2"}));
}

TEST(Onnx, RenamesAColumnThatHasTheNameOfAnOutput) {
  model::Model model = io::binary_model();
  auto inputs = model.encoder.inputs();
  inputs[0].name = "units";
  inputs[1].name = "probabilities";
  model.encoder = data::Encoder(inputs);
  EXPECT_EQ(signatures(read_back(model).graph().input()), (Signatures{"units: 1 N 1", "probabilities_: 8 N 1"}));
  EXPECT_EQ(signatures(read_back(model, true).graph().input()),
            (Signatures{"units_: 1 N 1", "probabilities_: 8 N 1", "units: 7 1"}));
}

TEST(Onnx, DefinesEveryValueOnceAndBeforeItsUse) {
  for (const bool dial : {false, true})
    for (model::Model model : {io::small_model(), io::binary_model(), io::multiclass_model(), io::binned_model()}) {
      auto inputs = model.encoder.inputs();
      inputs[0].name = "hidden";  // also the name of a value of the graph
      inputs[1].name = "scores";
      model.encoder = data::Encoder(inputs);
      const auto proto = read_back(model, dial);
      std::set<std::string> made;
      for (const Tensor& tensor : proto.graph().initializer()) EXPECT_TRUE(made.insert(tensor.name()).second);
      for (const auto& input : proto.graph().input()) EXPECT_TRUE(made.insert(input.name()).second) << input.name();
      for (const auto& node : proto.graph().node()) {
        for (const auto& name : node.input()) EXPECT_TRUE(made.contains(name)) << name;
        for (const auto& name : node.output()) EXPECT_TRUE(made.insert(name).second) << name;
      }
      for (const auto& output : proto.graph().output()) EXPECT_TRUE(made.contains(output.name()));
    }
}

TEST(Onnx, WritesIntegerLabelsIfAllClassesAreIntegers) {
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

TEST(Onnx, KeepsEveryDigitOfLargeLabels) {
  model::Model model = io::binary_model();
  model.classes = {"5", "9007199254740993"};
  const auto proto = read_back(model);
  const Tensor& classes = constant(proto, "classes");
  EXPECT_EQ(std::vector(classes.int64_data().begin(), classes.int64_data().end()),
            (std::vector<std::int64_t>{5, 9007199254740993}));
}

TEST(Onnx, WritesTheSameBytesForTheSameModel) {
  for (const bool dial : {false, true})
    EXPECT_EQ(write(io::multiclass_model(), {.dial = dial}), write(io::multiclass_model(), {.dial = dial}));
}

TEST(Onnx, WritesEveryActivationAndLoss) {
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

TEST(Onnx, WritesANetworkWithoutUnits) {
  const auto proto = read_back(io::empty_model());
  EXPECT_EQ(metadata(proto).at("units"), "0");
  EXPECT_EQ(constant(proto, "output_weights").float_data(0), 0.0f);
  EXPECT_FLOAT_EQ(constant(proto, "output_bias").float_data(0), static_cast<float>(1.0 / 7.0 + 2.5 * 0.125));
  EXPECT_THROW(write(io::empty_model(), {.dial = true}), core::UsageError);
}

TEST(Onnx, RejectsModelsThatOnnxCannotHold) {
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
}  // namespace accrete::onnx::onnx_test
