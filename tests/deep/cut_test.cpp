#include "accrete/deep/cut.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "accrete/core/error.hpp"
#include "tests/deep/modules.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::deep::cut_test {
namespace {

using namespace deep_test;

std::string refusal(const jit::Module& module, const std::string& name) {
  return thrown_message<core::UsageError>([&] { cut(module, name); });
}

bool same(const torch::Tensor& a, const torch::Tensor& b) {
  return a.equal(b);
}

struct Parts {
  jit::Module first = linear(4, 6, 1), second = linear(6, 5, 2), third = linear(5, 3, 3, "sigmoid");
  torch::Tensor x = numbers(7, 4);
};

TEST(Cut, GivesTheOutputOfTheSubmodule) {
  const Parts p;
  const jit::Module net =
      module_of({{"a", p.first}, {"b", p.second}, {"c", p.third}},
                "def forward(self, x):\n    return self.c.forward(self.b.forward(self.a.forward(x)))\n");
  EXPECT_TRUE(same(run(cut(net, "a"), p.x), run(p.first, p.x)));
  EXPECT_TRUE(same(run(cut(net, "b"), p.x), run(p.second, run(p.first, p.x))));
  EXPECT_TRUE(same(run(cut(net, ""), p.x), run(net, p.x)));
}

TEST(Cut, FindsNestedSubmodules) {
  const Parts p;
  const jit::Module inner = sequential({p.first, p.second});
  const jit::Module net = module_of({{"body", sequential({inner, p.third})}},
                                    "def forward(self, x):\n    return self.body.forward(x) * 2.0\n");
  EXPECT_TRUE(same(run(cut(net, "body.0.0"), p.x), run(p.first, p.x)));
  EXPECT_TRUE(same(run(cut(net, "body.0.1"), p.x), run(inner, p.x)));
  EXPECT_TRUE(same(run(cut(net, "body.0"), p.x), run(inner, p.x)));
  EXPECT_TRUE(same(run(cut(net, "body"), p.x), run(p.third, run(inner, p.x))));
}

TEST(Cut, FollowsMethodsAndCallsOfNestedSubmodules) {
  const Parts p;
  const jit::Module net =
      module_of({{"body", sequential({p.first, p.second})}, {"head", p.third}},
                "def features(self, x):\n"
                "    return getattr(self.body, \"1\").forward(getattr(self.body, \"0\").forward(x))\n"
                "def forward(self, x):\n"
                "    return self.head.forward(self.features(x))\n");
  EXPECT_TRUE(same(run(cut(net, "body.1"), p.x), run(p.second, run(p.first, p.x))));
}

TEST(Cut, IgnoresLaterChangesInPlace) {
  const Parts p;
  const jit::Module net =
      module_of({{"a", p.first}}, "def forward(self, x):\n    y = self.a.forward(x)\n    y.zero_()\n    return y\n");
  EXPECT_GT(run(p.first, p.x).abs().sum().item<float>(), 0.0f);
  EXPECT_TRUE(same(run(cut(net, "a"), p.x), run(p.first, p.x)));
}

TEST(Cut, LeavesTheModuleUnchanged) {
  const Parts p;
  jit::Module net = module_of({{"a", p.first}, {"b", p.second}},
                              "def forward(self, x):\n    return self.b.forward(self.a.forward(x))\n");
  const torch::Tensor before = run(net, p.x);
  EXPECT_FALSE(cut(net, "a").is_training());
  EXPECT_TRUE(same(run(net, p.x), before));
  EXPECT_TRUE(net.is_training());
}

TEST(Cut, UsesDefaultsAndSurvivesARoundTrip) {
  const Parts p;
  const jit::Module net = module_of({{"a", p.first}, {"b", p.second}},
                                    "def forward(self, x, times: float = 2.0, more: Optional[int] = None):\n"
                                    "    y = self.a.forward(x * times)\n"
                                    "    if more is not None:\n        y = y + more\n"
                                    "    return self.b.forward(y)\n");
  std::stringstream file;
  net.save(file);
  const jit::Module loaded = jit::load(file);
  EXPECT_TRUE(same(run(cut(loaded, "a"), p.x), run(p.first, p.x * 2.0)));
  EXPECT_TRUE(same(run(cut(loaded, "b"), p.x), run(p.second, run(p.first, p.x * 2.0))));
}

TEST(Cut, ListsTheSubmodules) {
  const Parts p;
  const jit::Module net = module_of({{"body", sequential({p.first, p.second})}, {"head", p.third}},
                                    "def forward(self, x):\n    return self.head.forward(self.body.forward(x))\n");
  EXPECT_EQ(refusal(net, "fc"), "cut fc: module not found; the network has body, head");
  EXPECT_EQ(refusal(net, "body.2"), "cut body.2: module not found; 'body' has 0, 1");
  EXPECT_EQ(refusal(net, "head.x"), "cut head.x: module not found; 'head' has none");
  EXPECT_EQ(refusal(net, "body."), "cut body.: module not found; 'body' has 0, 1");
  std::vector<jit::Module> many(30, linear(4, 4, 1));
  EXPECT_TRUE(refusal(sequential(many), "40").ends_with("18, 19, ... (30 in all)")) << refusal(sequential(many), "40");
}

TEST(Cut, RejectsModulesNotCalledExactlyOnce) {
  const Parts p;
  const jit::Module square = linear(4, 4, 1);
  const auto net = [&](const std::string& body) { return module_of({{"a", square}, {"b", square}}, body); };
  EXPECT_EQ(refusal(net("def forward(self, x):\n    return self.a.forward(x)\n"), "b"),
            "cut b: forward never calls this module");
  EXPECT_EQ(refusal(net("def forward(self, x):\n    return self.a.forward(self.a.forward(x))\n"), "a"),
            "cut a: forward calls this module 2 times; it must be called once");
  const std::string branch = "cut a: this module is called inside a branch or a loop";
  EXPECT_EQ(refusal(net("def forward(self, x):\n    if bool(x.sum() > 0):\n        x = self.a.forward(x)\n"
                        "    return self.b.forward(x)\n"),
                    "a"),
            branch);
  EXPECT_EQ(
      refusal(net("def forward(self, x):\n    for i in range(3):\n        x = self.a.forward(x)\n    return x\n"), "a"),
      branch);
}

TEST(Cut, RejectsOtherInputsAndOutputs) {
  const Parts p;
  const auto net = [&](const std::string& source) { return module_of({{"a", p.first}}, source); };
  EXPECT_EQ(refusal(net("def forward(self, x):\n    return (self.a.forward(x), x)\n"), ""),
            "the network returns a Tuple[Tensor, Tensor], not a tensor; name a module with cut");
  const jit::Module pair = module_of({{"p", net("def forward(self, x):\n    return (x, x)\n")}},
                                     "def forward(self, x):\n    return self.p.forward(x)[0]\n");
  EXPECT_EQ(refusal(pair, "p"), "cut p: this module returns a Tuple[Tensor, Tensor], not a tensor");
  EXPECT_EQ(refusal(net("def forward(self, x, y):\n    return self.a.forward(x + y)\n"), "a"),
            "the network's forward takes 'y' too; it must take one tensor");
  EXPECT_TRUE(
      same(run(cut(net("def forward(self, x, y):\n    return self.a.forward(x) + y\n"), "a"), p.x), run(p.first, p.x)))
      << "an input used only after the cut is not required";
  EXPECT_EQ(refusal(net("def forward(self, x: List[Tensor]):\n    return self.a.forward(x[0])\n"), "a"),
            "the network's forward takes a List[Tensor]; it must take one tensor");
  EXPECT_EQ(refusal(module_of({}, "def other(self, x):\n    return x\n"), ""), "the network has no method forward");
}

}  // namespace
}  // namespace accrete::deep::cut_test
