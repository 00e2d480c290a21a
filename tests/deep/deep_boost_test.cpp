// accrete deep boost and accrete deep features as a user meets them.

#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "accrete/deep/network_file.hpp"
#include "tests/cli/run_command.hpp"
#include "tests/deep/modules.hpp"

namespace accrete::cli_test::deep_boost_test {
namespace {

using namespace std::chrono_literals;
namespace deep_test = accrete::deep_test;

/// Two columns, and which of three classes they are; a network for them.
class DeepBoost : public CommandTest {
 protected:
  DeepBoost() {
    std::string text = "a,b,kind\n";
    for (int i = 0; i < 150; ++i) {
      const double a = (i * 37 % 101) / 50.0 - 1.0, b = (i * 53 % 97) / 48.0 - 1.0;
      text += std::to_string(a) + "," + std::to_string(b) + "," +
              (a * b > 0.1 ? "high"
               : a > b     ? "left"
                           : "right") +
              "\n";
    }
    write("d.csv", text);
  }

  void train() const { ok("deep train d.csv --arch dense:8,6 --epochs 3 --quiet -o net.pt"); }

  /// What a foreign program wrote: body (two layers of a Sequential) and fc.
  void write_foreign() const {
    using namespace deep_test;
    module_of({{"body", sequential({linear(2, 8, 1), linear(8, 5, 2)})}, {"fc", linear(5, 3, 3)}},
              "def forward(self, x):\n    return self.fc.forward(self.body.forward(x))\n")
        .save(path("foreign.pt").string());
  }

  void expect_refusal(const std::string& words, int code, const std::string& says) const {
    const CommandResult end = run(words);
    EXPECT_EQ(end.code, code) << words << "\n" << end.err;
    EXPECT_EQ(lines(end.err), 1u) << end.err;
    EXPECT_EQ(end.out, "");
    EXPECT_NE(end.err.find(says), std::string::npos) << says << " is not in: " << end.err;
    EXPECT_FALSE(exists("out.pt"));
    EXPECT_FALSE(exists("out.csv"));
  }
};

TEST_F(DeepBoost, BoostsAHeadOnItsOwnNetwork) {
  train();
  const auto said = json("deep boost net.pt d.csv --units 20 --units-per-step 4 -o out.pt --head h.safetensors");
  EXPECT_EQ(said["units"], 20);
  EXPECT_EQ(said["features"], 8) << "the last hidden layer and the output layer are gone";
  EXPECT_EQ(said["examples"], 150);
  EXPECT_EQ(said["classes"], (nlohmann::json{"high", "left", "right"}));
  EXPECT_GT(said["train"]["accuracy"], 0.8);
  EXPECT_GT(said["share_of_training"], 0.0);
  EXPECT_EQ(said["parameters"]["auto"], false);

  const auto joined = deep::load_network(path("out.pt").string());
  ASSERT_TRUE(joined.signature);
  EXPECT_EQ(joined.record["arch"], "dense:8,6") << "the joined network keeps the record of the backbone";
  EXPECT_EQ(joined.record["head"]["units"], 20);
  EXPECT_EQ(joined.record["head"]["train_loss"].size(), 6u);

  // The joined network, and the head on the features, say the same; at fewer units too.
  ok("deep features net.pt d.csv -o f.csv");
  const auto whole = json("evaluate h.safetensors f.csv --units 8,20")["results"];
  const auto deep = json("deep evaluate out.pt d.csv --units 8,20")["results"];
  EXPECT_EQ(json("deep evaluate out.pt d.csv --units 10")["results"][0]["units"], 8) << "those of whole steps";
  ASSERT_EQ(deep.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(deep[i]["log_loss"], whole[i]["log_loss"], 1e-5);
    EXPECT_EQ(deep[i]["accuracy"], whole[i]["accuracy"]);
  }
  EXPECT_EQ(deep[1]["accuracy"], said["train"]["accuracy"]);
  // It is a network like any other: its features, and a head on them again.
  ok("deep features out.pt d.csv -o again.csv");
  EXPECT_EQ(read_file(path("again.csv")), read_file(path("f.csv")));
  ok("deep boost out.pt d.csv --units 8 -o twice.pt --quiet");
}

TEST_F(DeepBoost, SameSeedGivesTheSameHead) {
  train();
  const std::string words = "deep boost net.pt d.csv --units 12 --subsample 0.5 --solver adam --seed 4 --quiet --head ";
  ok(words + "a.safetensors -o a.pt --threads 1");
  ok(words + "b.safetensors -o b.pt --threads 1");
  EXPECT_TRUE(read_file(path("a.safetensors")) == read_file(path("b.safetensors")));
}

TEST_F(DeepBoost, BoostsAHeadOnAnotherModule) {
  write_foreign();
  EXPECT_EQ(json("deep boost foreign.pt d.csv --units 8 -o out.pt")["features"], 3) << "its own output";
  const auto said = json("deep boost foreign.pt d.csv --cut body.0 --units 40 -o out.pt");
  EXPECT_EQ(said["features"], 8);
  EXPECT_EQ(json("deep evaluate out.pt d.csv")["results"][0]["accuracy"], said["train"]["accuracy"]);
}

TEST_F(DeepBoost, ChoosesByCrossValidation) {
  train();
  write("g.json", R"({"learning_rate": [0.1, 1], "units": [4, 12]})");
  const auto said = json("deep boost net.pt d.csv --grid g.json --folds 3 --units-per-step 2 -o out.pt");
  ASSERT_EQ(said["search"]["tried"].size(), 4u);
  EXPECT_EQ(said["search"]["chosen"]["units"], said["units"]);
  EXPECT_EQ(said["search"]["chosen"]["learning_rate"], said["parameters"]["learning_rate"]);
  EXPECT_NE(ok("deep boost net.pt d.csv --grid g.json --folds 3 -o out.pt").find("chosen"), std::string::npos);
  fs::remove(path("out.pt"));
  expect_refusal("deep boost net.pt d.csv --grid g.json --units 8 -o out.pt", 2,
                 "--units 8: 'units' is also in g.json");
  expect_refusal("deep boost net.pt d.csv --folds 3 -o out.pt", 2, "--folds needs --grid");
  expect_refusal("deep boost net.pt d.csv --grid g.json --resume -o out.pt", 2,
                 "--checkpoint-every and --resume cannot be used with --grid");
}

TEST_F(DeepBoost, WideFeaturesGetLargerStepsAndPenalties) {
  ok("deep train d.csv --arch dense:64,6 --epochs 3 --quiet -o net.pt");
  auto used = json("deep boost net.pt d.csv --units 40 -o out.pt")["parameters"];
  EXPECT_EQ(used["units_per_step"], 20);
  EXPECT_EQ(used["activation"], "tanh");
  EXPECT_EQ(used["feature_fraction"], 1);
  EXPECT_LE(used["alpha"], 8.4) << "1.9 x 150 rows x the square root of 2/9, of which (64 / 256) squared";
  used = json("deep boost net.pt d.csv --units 40 --units-per-step 8 --alpha 0.5 -o out.pt")["parameters"];
  EXPECT_EQ(used["units_per_step"], 8);
  EXPECT_EQ(used["alpha"], 0.5);
  EXPECT_EQ(json("deep boost net.pt d.csv --units 40 --solver adam -o out.pt")["parameters"]["units_per_step"], 4);
  EXPECT_EQ(json("deep boost net.pt d.csv --units 40 --preset fast -o out.pt")["parameters"]["units_per_step"], 4);
  // What a search tries is not a default; what it does not try is.
  write("g.json", R"({"alpha": [0.1, 1], "units": [8, 24]})");
  used = json("deep boost net.pt d.csv --grid g.json --folds 2 -o out.pt")["parameters"];
  EXPECT_EQ(used["units_per_step"], 8) << "not more than the fewest units";
  EXPECT_TRUE(used["alpha"] == 0.1 || used["alpha"] == 1);
  EXPECT_EQ(used["activation"], "tanh");
  write("g.json", R"({"solver": ["adam"]})");
  used = json("deep boost net.pt d.csv --units 8 --grid g.json --folds 2 -o out.pt")["parameters"];
  EXPECT_EQ(used["units_per_step"], 4) << "the rule is for one solver";
}

TEST_F(DeepBoost, LowersADefaultPenaltyWithWhichTheHeadLearnsNothing) {
  std::mt19937 random(1);
  std::string text = "a,b,kind\n";
  for (int i = 0; i < 300; ++i) {
    text += std::to_string(random() % 1000) + "," + std::to_string(random() % 1000);
    text += random() % 2 ? ",yes\n" : ",no\n";
  }
  write("noise.csv", text);
  ok("deep train noise.csv --arch dense:128,6 --epochs 1 --quiet -o net.pt");
  const auto alpha = [](const nlohmann::json& report) { return report["parameters"]["alpha"].get<double>(); };
  const double rule = 68.8;  // 300 rows, 128 features, two classes
  const std::string words = "deep boost net.pt noise.csv --units 4000 --threads 1 ";
  const auto whole = json(words + "--head whole.safetensors -o whole.pt");
  EXPECT_LT(alpha(whole), rule);
  EXPECT_EQ(std::exp2(std::round(std::log2(rule / alpha(whole)))), rule / alpha(whole)) << "halved";
  EXPECT_EQ(alpha(json("deep boost net.pt noise.csv --units 40 --alpha 1000 -o out.pt")), 1000) << "given";
  // A stopped fit continues with its halved penalty.
  const pid_t child = start(words + "--checkpoint-every 1000 --head h.safetensors -o out.pt --quiet");
  for (int i = 0; i < 6000 && !exists("out.pt.checkpoint"); ++i) std::this_thread::sleep_for(5ms);
  ::kill(child, SIGINT);
  const CommandResult end = wait(child);
  ASSERT_EQ(end.code, 130) << end.err;
  EXPECT_EQ(alpha(json(words + "--checkpoint-every 1000 --head h.safetensors -o out.pt --resume")), alpha(whole));
  EXPECT_TRUE(read_file(path("h.safetensors")) == read_file(path("whole.safetensors")));
}

TEST_F(DeepBoost, ResumesAfterCtrlC) {
  train();
  const std::string words = "deep boost net.pt d.csv --units 8000 --threads 1 --quiet --checkpoint-every 40 --head ";
  ok("deep boost net.pt d.csv --units 8000 --threads 1 --quiet --head whole.safetensors -o whole.pt");
  const pid_t child = start(words + "h.safetensors -o out.pt");
  for (int i = 0; i < 3000 && !exists("out.pt.checkpoint"); ++i) std::this_thread::sleep_for(5ms);
  ::kill(child, SIGINT);
  const CommandResult end = wait(child);
  ASSERT_EQ(end.code, 130) << end.err;
  EXPECT_NE(end.err.find("saved; rerun with --resume to continue"), std::string::npos) << end.err;
  ok("deep evaluate out.pt d.csv");  // what there is can be used
  ok(words + "h.safetensors -o out.pt --resume");
  EXPECT_TRUE(read_file(path("h.safetensors")) == read_file(path("whole.safetensors")));
  EXPECT_FALSE(exists("out.pt.checkpoint"));
}

TEST_F(DeepBoost, WritesFeaturesAsATable) {
  write_foreign();
  ok("deep features foreign.pt d.csv --cut body -o f.csv");
  const std::string text = read_file(path("f.csv"));
  EXPECT_TRUE(text.starts_with("f0,f1,f2,f3,f4,kind\n")) << text.substr(0, 60);
  EXPECT_EQ(lines(text), 151u);
  EXPECT_TRUE(text.ends_with("left\n") || text.ends_with("right\n") || text.ends_with("high\n"));
  train();
  write("bare.csv", "b,a\n0.5,0.25\n-1,0.125\n");
  ok("deep features net.pt bare.csv -o g.csv");
  EXPECT_TRUE(read_file(path("g.csv")).starts_with("f0,f1,f2,f3,f4,f5,f6,f7\n")) << "no target, columns by name";
  EXPECT_EQ(lines(read_file(path("g.csv"))), 3u);
}

TEST_F(DeepBoost, StoppedFeaturesContinueWithTheSameBytes) {
  // Takes about 10 ms per row.
  deep_test::module_of({},
                       "def forward(self, x):\n"
                       "    y = torch.mul(torch.ones([400, 400]), torch.sum(x))\n"
                       "    for i in range(4):\n"
                       "        y = torch.sin(torch.matmul(y, y))\n"
                       "    return torch.add(torch.mul(x, 2.0), torch.sum(y))\n")
      .save(path("slow.pt").string());
  const std::string words = "deep features slow.pt d.csv --batch 1 --threads 1 ";
  ok(words + "--feature-file whole.bin -o whole.csv");
  EXPECT_EQ(fs::file_size(path("whole.bin")), 150 * 2 * sizeof(float));
  for (const int signal : {SIGINT, SIGKILL}) {
    const auto before = exists("f.bin") ? fs::file_size(path("f.bin")) : 0;
    const pid_t child = start(words + "--feature-file f.bin -o out.csv");
    for (int i = 0; i < 3000 && !(exists("f.bin") && fs::file_size(path("f.bin")) > before + 80); ++i)
      std::this_thread::sleep_for(2ms);
    ::kill(child, signal);
    const CommandResult end = wait(child);
    EXPECT_FALSE(exists("out.csv"));
    EXPECT_LT(fs::file_size(path("f.bin")), fs::file_size(path("whole.bin"))) << "stopped too late to test anything";
    if (signal == SIGKILL) continue;
    EXPECT_EQ(end.code, 130);
    EXPECT_NE(end.err.find("rerun the command to continue"), std::string::npos) << end.err;
  }
  const CommandResult end = run(words + "--feature-file f.bin -o out.csv");
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.err.find("f.bin: has the features of "), std::string::npos) << end.err;
  for (const char* file : {"bin", "csv"})
    EXPECT_TRUE(read_file(path(std::string("whole.") + file)) ==
                read_file(path((file == std::string("bin") ? "f." : "out.") + std::string(file))));
  fs::remove(path("out.csv"));
  // The same features serve any head; another network is refused.
  ok("deep boost slow.pt d.csv --batch 1 --feature-file f.bin --units 8 -o head.pt --quiet");
  write_foreign();
  expect_refusal("deep boost foreign.pt d.csv --batch 1 --feature-file f.bin -o out.pt", 2,
                 "'f.bin' was written for another network; delete it and 'f.bin.journal' to start over");
  expect_refusal("deep boost slow.pt d.csv --feature-file f.bin -o out.pt", 2, "with batch 1, not 256");
  expect_refusal("deep boost slow.pt d.csv --feature-file d.csv -o out.pt", 2, "would overwrite the input");
}

TEST_F(DeepBoost, ReportsErrorsInOneLine) {
  write_foreign();
  train();
  using namespace deep_test;
  module_of({}, "def forward(self, x):\n    return torch.reshape(x, [-1, 1, 2])\n").save(path("rank.pt").string());
  linear(7, 3, 1).save(path("seven.pt").string());
  expect_refusal("deep boost d.csv d.csv -o out.pt", 1, "'d.csv' is not a TorchScript file");
  expect_refusal("deep boost none.pt d.csv -o out.pt", 1, "none.pt");
  expect_refusal("deep boost foreign.pt d.csv --cut fc2 -o out.pt", 2,
                 "--cut fc2: module not found; the network has body, fc");
  expect_refusal("deep boost rank.pt d.csv -o out.pt", 1, "150 x 1 x 2 (rank 3): cut the network at a later module");
  expect_refusal("deep boost seven.pt d.csv -o out.pt", 1, "d.csv: the network rejects these examples");
  expect_refusal("deep boost net.pt d.csv -o net.pt", 2, "would overwrite the input");
  expect_refusal("deep boost net.pt d.csv --units 2 --units-per-step 4 -o out.pt", 2,
                 "--units-per-step 4 exceeds --units 2");
  expect_refusal("deep boost net.pt d.csv --patience 5 -o out.pt", 2, "--patience 5: needs --validation-fraction");
  expect_refusal("deep features net.pt d.csv -o out.csv.gz", 2, "is not compressed");
  write("bare.csv", "b,a\n0.5,0.25\n-1,0.125\n");
  expect_refusal("deep boost net.pt bare.csv -o out.pt", 1, "column 'kind' is missing");
}

}  // namespace
}  // namespace accrete::cli_test::deep_boost_test
