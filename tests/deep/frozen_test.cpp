#include "accrete/deep/frozen.hpp"

#include <gtest/gtest.h>

#include "accrete/core/error.hpp"
#include "tests/deep/modules.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::deep::frozen_test {
namespace {

using namespace deep_test;

Inputs images() {
  Inputs inputs;
  inputs.kind = Inputs::Kind::images;
  inputs.channels = 1;
  inputs.height = inputs.width = 4;
  return inputs;
}

torch::Tensor bytes(std::int64_t count) {
  return (torch::rand({count, 1, 4, 4}, torch::make_generator<at::CPUGeneratorImpl>(3)) * 255).to(torch::kUInt8);
}

const char* flatten_source = "def forward(self, x):\n    return torch.flatten(x, 1)\n";

TEST(Freeze, PreparesInputsOfOtherModules) {
  const jit::Module first = linear(16, 6, 1), last = linear(6, 3, 2);
  const TorchNetwork net{sequential({module_of({}, flatten_source), first, last}), std::nullopt, {}};
  const torch::Tensor x = bytes(5), flat = torch::flatten(x.to(torch::kFloat32) / 255.0, 1);
  EXPECT_TRUE(torch::allclose(run(freeze(net, images(), "1"), x), run(first, flat)));
  EXPECT_TRUE(torch::allclose(run(freeze(net, images(), ""), x), run(last, run(first, flat))));
}

/// Ours: prepare, features, head.
TorchNetwork ours() {
  return {module_of({{"prepare", module_of({}, "def forward(self, x):\n    return x / 10.0\n")},
                     {"features", linear(4, 6, 1)},
                     {"head", linear(6, 3, 2)}},
                    "def forward(self, x):\n"
                    "    return torch.softmax(self.head.forward(self.features.forward(self.prepare.forward(x))), 1)\n"),
          Signature{},
          {}};
}

TEST(Freeze, EndsItsOwnNetworksAfterTheFeatures) {
  const torch::Tensor x = numbers(5, 4);
  EXPECT_TRUE(torch::allclose(run(freeze(ours(), {}, ""), x), run(linear(4, 6, 1), x / 10.0)));
  EXPECT_TRUE(torch::allclose(run(freeze(ours(), {}, "prepare"), x), x / 10.0));
}

TEST(Freeze, KeepsOnlyTheParametersItNeeds) {
  const jit::Module frozen = freeze(ours(), {}, "");
  std::int64_t count = 0;
  for (const torch::Tensor& parameter : frozen.parameters()) count += parameter.numel();
  EXPECT_EQ(count, 4 * 6 + 6) << "the weights of the features, not those of the head";
}

TEST(Freeze, TurnsDropoutOff) {
  const TorchNetwork net{
      module_of({}, "def forward(self, x):\n    return torch.dropout(x, 0.5, self.training)\n"), Signature{}, {}};
  TorchNetwork foreign = net;
  foreign.signature.reset();
  const torch::Tensor x = torch::rand({4, 1, 4, 4}) * 255;
  jit::Module frozen = freeze(foreign, images(), "");
  frozen.train(true);
  EXPECT_TRUE(torch::allclose(run(frozen, x), x / 255.0)) << "nor does training mode turn it on again";
}

TEST(Freeze, FlattensDimensionsOfSizeOne) {
  const TorchNetwork net{
      module_of({}, "def forward(self, x):\n    return torch.adaptive_avg_pool2d(x, [1, 1])\n"), std::nullopt, {}};
  const torch::Tensor out = run(freeze(net, images(), ""), bytes(5));
  EXPECT_EQ(out.sizes(), (std::vector<std::int64_t>{5, 1}));
}

TEST(Freeze, SurvivesAnErrorAtRunTime) {
  const jit::Module frozen = freeze(ours(), {}, "");
  const std::string said = thrown_message<std::exception>([&] { run(frozen, numbers(5, 9)); });
  EXPECT_NE(said.find("shapes cannot be multiplied"), std::string::npos) << said;
}

TEST(Freeze, RejectsUnknownCuts) {
  EXPECT_EQ(thrown_message<core::UsageError>([] { freeze(ours(), {}, "fc"); }),
            "cut fc: module not found; the network has prepare, features, head");
}

}  // namespace
}  // namespace accrete::deep::frozen_test
