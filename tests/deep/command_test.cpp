// accrete deep train and evaluate, as a user runs them.

#include <torch/script.h>
#include <torch/torch.h>

#include <chrono>
#include <thread>

#include "tests/cli/run_command.hpp"
#include "tests/deep/image_files.hpp"

namespace accrete::cli_test::command_test {
namespace {

using deep::big_endian;
using deep::idx_labels;

class DeepCommand : public CommandTest {
 protected:
  /// 8 x 8 images whose bright side is their label.
  void write_images(const std::string& stem, int count) const {
    std::string bytes =
        big_endian(0x803) + big_endian(static_cast<std::uint32_t>(count)) + big_endian(8) + big_endian(8);
    std::vector<int> labels;
    for (int i = 0; i < count; ++i) {
      labels.push_back(i % 2);
      for (int p = 0; p < 64; ++p)
        bytes += static_cast<char>((p % 8 < 4) == (i % 2 == 0) ? 200 + (i + p) % 50 : p % 40);
    }
    fs::create_directories(path("images"));
    write("images/" + stem + "-images-idx3-ubyte", bytes);
    write("images/" + stem + "-labels-idx1-ubyte", idx_labels(labels));
  }

  /// Exit code 1 or 2, and one line.
  std::string refusal(const std::string& words, int code) const {
    const CommandResult end = run(words);
    EXPECT_EQ(end.code, code) << words << "\n" << end.err;
    EXPECT_EQ(lines(end.err), 1u) << words << "\n" << end.err;
    EXPECT_TRUE(end.out.empty()) << words;
    return end.err;
  }
};

TEST_F(DeepCommand, TrainsAndMeasuresOnATable) {
  ok("data make tic-tac-toe -o ttt.csv");
  const auto report =
      json("deep train ttt.csv --arch dense:20,20 --epochs 30 --batch 32 --validation-fraction 0.2 -o t.pt");
  EXPECT_EQ(report["network"], "t.pt");
  EXPECT_EQ(report["epochs"], 30);
  EXPECT_EQ(report["validation_accuracy"].size(), 30u);
  EXPECT_FALSE(exists("t.pt.checkpoint"));
  const auto measured = json("deep evaluate t.pt ttt.csv");
  EXPECT_EQ(measured["rows"], 958);
  EXPECT_EQ(measured["metric"], "accuracy");
  EXPECT_GT(measured["results"][0]["accuracy"], 0.9);
  EXPECT_LT(measured["results"][0]["log_loss"], 0.3);
  EXPECT_TRUE(measured["results"][0]["units"].is_null());
}

TEST_F(DeepCommand, SameSeedGivesTheSameWeights) {
  ok("data make tic-tac-toe -o ttt.csv");
  const std::string words = "deep train ttt.csv --arch dense:8,8 --epochs 2 --device cpu --threads 1 -q";
  ok(words + " --seed 3 -o a.pt");
  ok(words + " --seed 3 -o b.pt");
  ok(words + " --seed 4 -o c.pt");
  const auto weight = [&](const char* name) {
    return torch::jit::load(path(name).string()).attr("head").toModule().attr("output_weight").toTensor();
  };
  EXPECT_TRUE(torch::equal(weight("a.pt"), weight("b.pt")));
  EXPECT_FALSE(torch::equal(weight("a.pt"), weight("c.pt")));
}

TEST_F(DeepCommand, TrainsAndMeasuresOnImages) {
  write_images("train", 64);
  write_images("t10k", 20);
  const CommandResult end = run("deep train images/ --arch cnn --epochs 6 --batch 16");
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.out.find("train accuracy"), std::string::npos) << end.out;
  EXPECT_NE(end.out.find("1 channel\n"), std::string::npos) << end.out;
  EXPECT_NE(end.err.find("accrete deep boost images.pt images/ -o joined.pt"), std::string::npos) << end.err;
  EXPECT_EQ(json("deep evaluate images.pt images")["rows"], 20);
  EXPECT_EQ(json("deep evaluate images.pt images --part train")["rows"], 64);
  const auto measured = json("deep evaluate images.pt images --part every --batch 7");
  EXPECT_EQ(measured["rows"], 84);
  EXPECT_GT(measured["results"][0]["accuracy"], 0.95);
}

TEST_F(DeepCommand, MeasuresLogitsOfOtherModules) {
  write_images("train", 10);
  torch::jit::Module module("__torch__.Foreign");
  module.define(
      "def forward(self, x):\n"
      "    left = torch.sum(torch.flatten(torch.slice(x, 3, 0, 4), 1), [1])\n"
      "    right = torch.sum(torch.flatten(torch.slice(x, 3, 4, 8), 1), [1])\n"
      "    return torch.stack([left, right], 1)\n");
  module.save(path("foreign.pt").string());
  EXPECT_EQ(json("deep evaluate foreign.pt images --part train")["results"][0]["accuracy"], 1.0);
  module = torch::jit::Module("__torch__.Foreign");
  module.define("def forward(self, x):\n    return torch.flatten(x, 1)\n");
  module.save(path("wide.pt").string());
  EXPECT_NE(refusal("deep evaluate wide.pt images --part train", 1).find("64 numbers"), std::string::npos);
  torch::jit::Module two("__torch__.Two");
  two.define("def forward(self, x, y):\n    return torch.flatten(x + y, 1)\n");
  two.save(path("two.pt").string());
  EXPECT_NE(refusal("deep evaluate two.pt images --part train", 2).find("takes 'y' too"), std::string::npos);
  torch::jit::Module none("__torch__.Nothing");
  none.save(path("none.pt").string());
  EXPECT_NE(refusal("deep evaluate none.pt images --part train", 2).find("no method forward"), std::string::npos);
}

TEST_F(DeepCommand, ResumedTrainingEqualsOneRun) {
  write_images("train", 400);
  const std::string words = "deep train images --arch cnn --epochs 5 --batch 8 --device cpu --threads 1";
  ok(words + " -o whole.pt");
  const pid_t child = start(words + " -o broken.pt");
  for (int i = 0; i < 3000 && !exists("broken.pt.checkpoint"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ::kill(child, SIGINT);
  const CommandResult end = wait(child);
  EXPECT_EQ(end.code, 130) << end.err;
  EXPECT_NE(end.err.find("rerun with --resume to continue"), std::string::npos) << end.err;
  EXPECT_TRUE(exists("broken.pt") && exists("broken.pt.checkpoint"));
  ok("deep evaluate broken.pt images --part train");
  ok(words + " -o broken.pt --resume");
  EXPECT_FALSE(exists("broken.pt.checkpoint"));
  const auto weight = [&](const char* name) {
    return torch::jit::load(path(name).string()).attr("features").toModule().attr("conv32a_weight").toTensor();
  };
  EXPECT_TRUE(torch::equal(weight("whole.pt"), weight("broken.pt")));
}

TEST_F(DeepCommand, ReportsBadInputInOneLine) {
  ok("data make tic-tac-toe -o ttt.csv");
  write_images("train", 8);
  ok("deep train ttt.csv --arch dense:4 --epochs 1 -q -o t.pt");
  const auto refused = [&](const std::string& words, int code, const std::string& part) {
    EXPECT_NE(refusal(words, code).find(part), std::string::npos) << words << "\n" << read_file(path(".err"));
  };
  refused("deep train ttt.csv -o n.pt", 2, "--arch");
  refused("deep train ttt.csv --arch vgg -o n.pt", 2, "vgg");
  refused("deep train ttt.csv --arch cnn -o n.pt", 2, "images");
  refused("deep train images --arch dense:5 -o n.pt", 2, "cnn");
  refused("deep train none.csv --arch dense:5 -o n.pt", 1, "none.csv");
  refused("deep train ttt.csv --arch dense:5 --target nothing -o n.pt", 2, "nothing");
  refused("deep train ttt.csv --arch dense:5 --solver lbfgs -o n.pt", 2, "lbfgs");
  refused("deep train ttt.csv --arch dense:5 --momentum 2 -o n.pt", 2, "omentum");
  refused("deep train ttt.csv --arch dense:5 --epochs 0 -o n.pt", 2, "epochs");
  refused("deep train ttt.csv --arch dense:5 --augment -o n.pt", 2, "images");
  refused("deep train ttt.csv --arch dense:5 --device tpu -o n.pt", 2, "tpu");
  refused("deep train ttt.csv --arch dense:5 -o ttt.csv", 2, "overwrite");
  refused("deep train ttt.csv --arch dense:5 -o no/such/n.pt", 1, "no/such");
  refused("deep train ttt.csv --arch dense:5 --solver sgd --learning-rate 1e12 -o n.pt", 1, "learning rate");
  refused("deep evaluate none.pt ttt.csv", 1, "none.pt");
  refused("deep evaluate ttt.csv ttt.csv", 1, "TorchScript");
  refused("deep evaluate t.pt images", 1, "folder");
  refused("deep evaluate t.pt ttt.csv --units 5", 2, "no boosted head");
  refused("deep evaluate t.pt ttt.csv --units none", 2, "none");
  refused("deep evaluate t.pt ttt.csv --part some", 2, "some");
  refused("deep evaluate t.pt ttt.csv --part test", 2, "--part test: applies to images only, and ttt.csv is a table");
  refused("deep boost t.pt ttt.csv --part test -o n.pt", 2,
          "--part test: applies to images only, and ttt.csv is a table");
  refused("deep evaluate none.pt ttt.csv --part some", 2, "some");
  refused("deep evaluate none.pt ttt.csv --units none", 2, "none");
  refused("deep evaluate none.pt ttt.csv --device tpu", 2, "tpu");
  refused("deep", 2, "subcommand");
  EXPECT_FALSE(exists("n.pt"));
}

}  // namespace
}  // namespace accrete::cli_test::command_test
