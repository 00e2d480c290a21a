#include "accrete/serve/service.hpp"

#include <filesystem>
#include <fstream>
#include <memory>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "accrete/core/error.hpp"
#include "accrete/io/model_file.hpp"
#include "tests/io/sample_model.hpp"

namespace accrete::serve::service_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class ServiceTest : public testing::Test {
 protected:
  ServiceTest() {
    std::string name = (fs::temp_directory_path() / "accrete-serve-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    io::save_model(io::small_model(), path("small.safetensors"));
  }
  ~ServiceTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  Service& service(ServiceOptions options = {}) {
    repository_ = std::make_unique<Repository>(std::vector{path("small.safetensors")});
    service_ = std::make_unique<Service>(*repository_, batcher_, metrics_, std::move(options));
    return *service_;
  }

  fs::path folder_;
  std::unique_ptr<Repository> repository_;
  Batcher batcher_{{.slots = 1}};
  Metrics metrics_;
  std::unique_ptr<Service> service_;
};

constexpr const char* request = R"({"id": "q", "inputs": [
  {"name": "b", "shape": [2], "datatype": "FP64", "data": [0.5, null]},
  {"name": "a", "shape": [2, 1], "datatype": "FP32", "data": [[1], [2]]}]})";

TEST_F(ServiceTest, PredictsWhatTheModelPredicts) {
  const HttpReply reply = service().reply({.method = "POST", .path = "/v2/models/small/infer", .body = request});
  ASSERT_EQ(reply.status, 200) << reply.body;
  const Json json = Json::parse(reply.body);
  EXPECT_EQ(json["id"], "q");
  EXPECT_EQ(json["model_version"], "1");
  EXPECT_EQ(json["parameters"]["units"], 3);
  core::Workers workers(1);
  const std::vector<float> raw{1.0f, 0.5f, 2.0f, std::numeric_limits<float>::quiet_NaN()};
  const auto expected = model::predict(io::small_model(), {raw.data(), 2, 2}, 2, workers);
  EXPECT_EQ(json["outputs"][0]["data"], Json({expected(0, 0), expected(1, 0)}));
  EXPECT_EQ(json["outputs"][0]["shape"], Json({2}));
}

TEST_F(ServiceTest, TakesALargeIdAsANumberOrAsText) {
  model::Model model = io::small_model();
  model.encoder = data::Encoder(
      {{.name = "a", .mean = 0.1, .scale = 0.3},
       {.name = "shop", .kind = data::Column::Kind::text, .levels = {"100000001", "100000002"}, .shares = {0.5, 0.5}}});
  model.network = io::sample_network(3, 1, 2);
  io::save_model(model, path("small.safetensors"));
  Service& tested = service();
  const auto predictions = [&](const std::string& datatype, const std::string& shops) {
    const std::string body = R"({"inputs": [{"name": "a", "shape": [2], "datatype": "FP32", "data": [1, 1]}, )"
                             R"({"name": "shop", "shape": [2], "datatype": ")" +
                             datatype + R"(", "data": )" + shops + "}]}";
    const HttpReply reply = tested.reply({.method = "POST", .path = "/v2/models/small/infer", .body = body});
    EXPECT_EQ(reply.status, 200) << reply.body;
    return Json::parse(reply.body)["outputs"][0]["data"];
  };
  const Json as_text = predictions("BYTES", R"(["100000001", "100000002"])");
  EXPECT_NE(as_text[0], as_text[1]);
  EXPECT_EQ(predictions("INT64", "[100000001, 100000002]"), as_text);
  EXPECT_EQ(predictions("FP64", "[100000001.0, 1.00000002e8]"), as_text);
}

TEST_F(ServiceTest, ChoosesThePrefixOfTheRequest) {
  std::string body = request;
  body.insert(1, R"("parameters": {"units": 1}, )");
  const HttpReply reply = service().reply({.method = "POST", .path = "/v2/models/small/infer", .body = body});
  EXPECT_EQ(Json::parse(reply.body)["parameters"]["units"], 1);
  EXPECT_EQ(reply.units, 1u);
}

TEST_F(ServiceTest, RepliesToEveryRouteAndRefusesOthers) {
  Service& tested = service();
  for (const char* path : {"/v2", "/v2/health/live", "/v2/health/ready", "/v2/models/small", "/v2/models/small/ready",
                           "/v2/models/small/versions/1", "/v2/models/small/versions/1/ready", "/v2/models/small/card",
                           "/metrics", "/openapi.json"}) {
    EXPECT_EQ(tested.reply({.method = "GET", .path = path}).status, 200) << path;
    EXPECT_EQ(tested.reply({.method = "POST", .path = path}).status, 405) << path;
  }
  for (const char* path : {"", "/v1", "/v2/models", "/v2/models/", "/v2/models/small/", "/v2/models/other",
                           "/v2/models/small/versions/2", "/v2/models/small/versions/01", "/v2/models/small/unknown",
                           "/v2/models/small/versions", "/v2/models/../small", "//v2"})
    EXPECT_EQ(tested.reply({.method = "GET", .path = path}).status, 404) << path;
}

TEST_F(ServiceTest, AsksForTheTokenBeforeItTellsWhichModelsExist) {
  Service& tested = service({.token = "abc"});
  for (const char* path : {"/v2", "/v2/models/small", "/v2/models/other", "/metrics", "/nowhere"}) {
    EXPECT_EQ(tested.reply({.method = "GET", .path = path}).status, 401) << path;
    EXPECT_EQ(tested.reply({.method = "GET", .path = path, .authorization = "Bearer abcd"}).status, 401) << path;
    EXPECT_NE(tested.reply({.method = "GET", .path = path, .authorization = "Bearer abc"}).status, 401) << path;
  }
  EXPECT_EQ(tested.reply({.method = "GET", .path = "/v2/health/ready"}).status, 200);
}

TEST_F(ServiceTest, IsNotReadyWhileItDrains) {
  Service& tested = service();
  tested.drain();
  EXPECT_EQ(tested.reply({.method = "GET", .path = "/v2/health/ready"}).status, 503);
  EXPECT_EQ(tested.reply({.method = "GET", .path = "/v2/health/live"}).status, 200);
}

TEST_F(ServiceTest, KeepsTheOldModelIfTheNewFileIsDamaged) {
  service();
  const auto before = repository_->find("small");
  EXPECT_TRUE(repository_->refresh().empty());
  std::ofstream(path("small.safetensors")) << "damaged";
  const auto events = repository_->refresh();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, RepositoryEvent::Kind::refused);
  EXPECT_NE(events[0].message.find("small.safetensors"), std::string::npos);
  EXPECT_EQ(repository_->find("small"), before);
  EXPECT_TRUE(repository_->refresh().empty());  // refused once
  io::save_model(io::small_model(), path("small.safetensors"));
  ASSERT_EQ(repository_->refresh().size(), 1u);
  EXPECT_NE(repository_->find("small"), before);
}

TEST_F(ServiceTest, ReadsNamesAndVersionsFromFolders) {
  fs::create_directories(path("models/big"));
  for (const char* name : {"models/one.safetensors", "models/big/2.safetensors", "models/big/10.safetensors",
                           "models/big/note.safetensors", "models/big/03.safetensors", "models/readme.txt"})
    fs::copy(path("small.safetensors"), path(name));
  Repository repository({path("models"), "named=" + path("small.safetensors")});
  EXPECT_EQ(repository.versions("big"), (std::vector<std::string>{"2", "10"}));
  EXPECT_EQ(repository.find("big")->version, "10");
  EXPECT_EQ(repository.list().size(), 4u);
  fs::remove(path("models/big/10.safetensors"));
  EXPECT_EQ(repository.refresh().size(), 1u);
  EXPECT_EQ(repository.find("big")->version, "2");
  EXPECT_THROW(Repository({path("models"), path("models/one.safetensors")}), core::UsageError);
  EXPECT_THROW(Repository({path("absent")}), core::FileError);
}

TEST_F(ServiceTest, LeavesOutEntriesOfAFolderThatCannotBeRead) {
  fs::create_directories(path("models/secret"));
  fs::copy(path("small.safetensors"), path("models/one.safetensors"));
  fs::permissions(path("models/secret"), fs::perms::none);
  const auto link = [&](const std::string& name) { fs::create_symlink(path("absent"), path("models/" + name)); };
  for (const char* name : {"dangling", "a", "z", "dangling.safetensors"}) link(name);
  fs::create_symlink(path("models/loop"), path("models/loop"));
  Repository repository({path("models")});
  EXPECT_EQ(repository.list().size(), 1u);
  link("later");
  fs::copy(path("small.safetensors"), path("models/two.safetensors"));
  const auto events = repository.refresh();
  fs::permissions(path("models/secret"), fs::perms::owner_all);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, RepositoryEvent::Kind::loaded);
  EXPECT_EQ(events[0].model, "two");
}

TEST_F(ServiceTest, KeepsOnlyTheModelsOfAnArgumentThatCannotBeRead) {
  fs::create_directories(path("models"));
  fs::copy(path("small.safetensors"), path("models/one.safetensors"));
  Repository repository({path("models"), path("small.safetensors")});
  const auto one = repository.find("one"), small = repository.find("small");
  fs::remove_all(path("models"));
  const auto events = repository.refresh();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, RepositoryEvent::Kind::refused);
  EXPECT_EQ(events[0].message, path("models") + ": no such file or folder");
  EXPECT_TRUE(repository.refresh().empty()) << "refused once";
  fs::remove(path("small.safetensors"));
  EXPECT_EQ(repository.refresh().size(), 1u) << "another message";
  io::save_model(io::empty_model(), path("small.safetensors"));
  EXPECT_EQ(repository.refresh().size(), 1u) << "the other argument is still read";
  EXPECT_EQ(repository.find("one"), one);
  EXPECT_NE(repository.find("small"), small);
}

TEST_F(ServiceTest, RefusesANewFileWithTheNameOfAServedModel) {
  fs::create_directories(path("models"));
  fs::copy(path("small.safetensors"), path("models/one.safetensors"));
  Repository repository({path("models"), path("small.safetensors")});
  const auto small = repository.find("small");
  fs::copy(path("small.safetensors"), path("models/small.safetensors"));
  fs::copy(path("small.safetensors"), path("models/two.safetensors"));
  const auto events = repository.refresh();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_NE(events[0].message.find("are both version 1 of model 'small'"), std::string::npos) << events[0].message;
  EXPECT_EQ(events[1].model, "two");
  EXPECT_EQ(repository.find("small"), small);
  EXPECT_TRUE(repository.refresh().empty());
  fs::remove(path("models/one.safetensors"));
  EXPECT_EQ(repository.refresh().size(), 1u);
  EXPECT_EQ(repository.list().size(), 2u);
}

TEST_F(ServiceTest, TrimsTextAsACsvCell) {
  Service& tested = service();
  const auto status = [&](const std::string& text) {
    const Json body = {{"inputs",
                        {{{"name", "a"}, {"shape", {1}}, {"datatype", "BYTES"}, {"data", {text}}},
                         {{"name", "b"}, {"shape", {1}}, {"datatype", "FP32"}, {"data", {1}}}}}};
    return tested.reply({.method = "POST", .path = "/v2/models/small/infer", .body = body.dump()}).status;
  };
  EXPECT_EQ(status("1.5"), 200);
  EXPECT_EQ(status(" \t1.5\t "), 200);
  EXPECT_EQ(status("1.5\n"), 400);
  EXPECT_EQ(status("\n1.5"), 400);
}

TEST_F(ServiceTest, RefusesAnOutputWhoseNameJoinsTwo) {
  for (const char* name : {"contributions, baseline", "prediction, contributions"}) {
    std::string body = request;
    body.insert(1, std::string(R"("outputs": [{"name": ")") + name + R"("}], )");
    const HttpReply reply = service().reply({.method = "POST", .path = "/v2/models/small/infer", .body = body});
    EXPECT_EQ(reply.status, 400) << reply.body;
    EXPECT_NE(reply.body.find("unknown output"), std::string::npos) << reply.body;
  }
}

}  // namespace
}  // namespace accrete::serve::service_test
