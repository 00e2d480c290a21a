#include "accrete/deep/network_file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "accrete/core/error.hpp"
#include "accrete/deep/backbone.hpp"
#include "accrete/deep/signature_json.hpp"
#include "tests/deep/sample.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::deep::network_file_test {
namespace {

class NetworkFile : public deep_test::FolderTest {
 protected:
  std::string bytes(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  /// One line, and which.
  std::string refusal(const std::string& name) const {
    const std::string said = thrown_message<core::FileError>([&] { load_network(path(name)); });
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    return said;
  }
};

TEST_F(NetworkFile, RoundTrips) {
  auto sample = deep_test::circle(30);
  TorchNetwork network = make_backbone(parse_architecture("dense:5,4"), sample.signature, 1);
  network.record["training"] = {{"train_loss", {0.5, 0.25}}};
  save_network(network, path("n.pt"));
  TorchNetwork loaded = load_network(path("n.pt"));
  EXPECT_TRUE(deep_test::same_weights(network, loaded));
  EXPECT_EQ(loaded.record, network.record);
  ASSERT_TRUE(loaded.signature);
  EXPECT_EQ(signature_json(*loaded.signature), signature_json(sample.signature));
  EXPECT_EQ(loaded.signature->inputs.encoder.inputs(), sample.signature.inputs.encoder.inputs());
  EXPECT_TRUE(torch::equal(loaded.module.forward({sample.dataset.inputs}).toTensor(),
                           network.module.forward({sample.dataset.inputs}).toTensor()));
  EXPECT_FALSE(loaded.module.is_training());
  save_network(loaded, path("again.pt"));
  EXPECT_TRUE(deep_test::same_weights(load_network(path("again.pt")), network));
}

TEST_F(NetworkFile, RoundTripsAnImageNetwork) {
  const Signature signature = deep_test::images_signature(3, 8, 2);
  save_network(make_backbone(parse_architecture("cnn"), signature, 1), path("n.pt"));
  EXPECT_EQ(signature_json(*load_network(path("n.pt")).signature), signature_json(signature));
}

TEST_F(NetworkFile, LoadsOtherModulesWithoutASignature) {
  torch::jit::Module module("__torch__.Foreign");
  module.define("def forward(self, x):\n    return torch.relu(x)\n");
  module.save(path("f.pt"));
  TorchNetwork loaded = load_network(path("f.pt"));
  EXPECT_FALSE(loaded.signature);
  EXPECT_TRUE(torch::equal(loaded.module.forward({torch::ones({2, 2})}).toTensor(), torch::ones({2, 2})));
  EXPECT_THROW(save_network(loaded, path("g.pt")), core::UsageError);
}

TEST_F(NetworkFile, RejectsANetworkThatLostItsRecord) {
  const auto sample = deep_test::circle(30);
  make_backbone(parse_architecture("dense:5"), sample.signature, 1).module.save(path("n.pt"));
  EXPECT_NE(refusal("n.pt").find("accrete.json"), std::string::npos);
}

TEST_F(NetworkFile, RejectsOtherFilesInOneLine) {
  EXPECT_NE(refusal("none.pt").find("No such file"), std::string::npos);
  write("empty.pt", "");
  EXPECT_NE(refusal("empty.pt").find("empty"), std::string::npos);
  write("text.pt", "a,b\n1,2\n");
  EXPECT_NE(refusal("text.pt").find("not a TorchScript file"), std::string::npos);
  write("zip.pt", "PK and then nothing of a zip file");
  refusal("zip.pt");
  std::filesystem::create_directory(path("folder.pt"));
  refusal("folder.pt");
}

TEST_F(NetworkFile, RejectsEveryDamagedFile) {
  const auto sample = deep_test::circle(30);
  save_network(make_backbone(parse_architecture("dense:50,50"), sample.signature, 1), path("n.pt"));
  const std::string whole = bytes("n.pt");
  for (const std::size_t length : {whole.size() / 3, whole.size() / 2, whole.size() - 1}) {
    write("cut.pt", whole.substr(0, length));
    refusal("cut.pt");
  }
  // A bit of a weight: libtorch itself would not mind.
  const TorchNetwork network = load_network(path("n.pt"));
  const torch::Tensor weight = network.module.attr("features").toModule().attr("dense1_weight").toTensor();
  const std::string part(static_cast<const char*>(weight.data_ptr()), weight.nbytes());
  const std::size_t at = whole.find(part);
  ASSERT_NE(at, std::string::npos);
  std::string flipped = whole;
  flipped[at + 5] = static_cast<char>(flipped[at + 5] ^ 1);
  write("flipped.pt", flipped);
  EXPECT_NE(refusal("flipped.pt").find("weights"), std::string::npos);
}

TEST_F(NetworkFile, RejectsADamagedRecord) {
  const auto sample = deep_test::circle(30);
  const TorchNetwork network = make_backbone(parse_architecture("dense:5"), sample.signature, 1);
  for (const char* text : {"{", "[]", "{}", R"({"version": 2, "purpose": {}, "record": {}, "checksum": 0})"}) {
    network.module.save(path("n.pt"), {{"accrete.json", text}});
    refusal("n.pt");
  }
}

TEST_F(NetworkFile, ReportsUnwritablePaths) {
  const auto sample = deep_test::circle(30);
  const TorchNetwork network = make_backbone(parse_architecture("dense:5"), sample.signature, 1);
  EXPECT_THROW(save_network(network, path("no/such/folder.pt")), core::FileError);
}

TEST(SignatureJson, RejectsDamage) {
  const nlohmann::json whole = signature_json(deep_test::circle(30).signature);
  EXPECT_NO_THROW(read_signature(whole));
  for (const auto& [name, value] : whole.items()) {
    nlohmann::json damaged = whole;
    damaged.erase(name);
    EXPECT_THROW(read_signature(damaged), core::FileError) << name;
    damaged[name] = nullptr;
    EXPECT_THROW(read_signature(damaged), core::FileError) << name;
  }
  nlohmann::json damaged = whole;
  damaged["task"] = "regression";
  EXPECT_THROW(read_signature(damaged), core::FileError);
  damaged = whole;
  damaged["inputs"]["columns"][0]["scale"] = 0.0;
  EXPECT_THROW(read_signature(damaged), core::FileError);
  damaged = signature_json(deep_test::images_signature(1, 8, 3));
  damaged["inputs"]["width"] = -1;
  EXPECT_THROW(read_signature(damaged), core::FileError);
}

}  // namespace
}  // namespace accrete::deep::network_file_test
