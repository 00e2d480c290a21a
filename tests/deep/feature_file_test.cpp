#include "accrete/deep/feature_file.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "accrete/core/error.hpp"
#include "accrete/deep/extract_features.hpp"
#include "tests/deep/modules.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::deep::feature_file_test {
namespace {

namespace fs = std::filesystem;
using namespace deep_test;
using Json = nlohmann::json;

class FeatureFiles : public testing::Test {
 protected:
  FeatureFiles() {
    fs::remove(path_);
    fs::remove(path_ + ".journal");
  }
  ~FeatureFiles() override {
    fs::remove(path_);
    fs::remove(path_ + ".journal");
  }

  /// Extracts with the file; stops after `batches` batches.
  std::optional<data::Table> extract(const torch::Tensor& inputs, std::int64_t batches = 100,
                                     const Json& made_with = {{"network", 1}, {"batch", 4}}) {
    FeatureFile file(path_, made_with);
    stored_ = file.stored_rows();
    std::int64_t done = 0;
    return extract_features(
        net_, {"x.csv", inputs, {}},
        {.batch_size = 4, .observer = [&](std::int64_t, std::int64_t) { return ++done < batches; }, .file = &file});
  }

  std::string refusal(const torch::Tensor& inputs, const Json& made_with = {{"network", 1}, {"batch", 4}}) {
    return thrown_message<core::Error>([&] { extract(inputs, 100, made_with); });
  }

  std::string bytes() const { return read(path_); }
  std::string lines() const { return read(path_ + ".journal"); }
  static std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

  const jit::Module net_ = linear(3, 5, 1);
  const torch::Tensor x_ = numbers(22, 3);
  std::string path_ = (fs::temp_directory_path() / ("features-" + std::to_string(::getpid()))).string();
  std::int64_t stored_ = 0;
};

TEST_F(FeatureFiles, StoppedExtractionContinuesWithTheSameBytes) {
  const data::Table whole = *extract(x_);
  const std::string all = bytes(), journal = lines();
  EXPECT_EQ(all.size(), 22 * 5 * sizeof(float));
  for (const char* file : {"", ".journal"}) fs::remove(path_ + file);
  EXPECT_FALSE(extract(x_, 3));
  EXPECT_EQ(bytes(), all.substr(0, 12 * 5 * sizeof(float)));
  const data::Table continued = *extract(x_);
  EXPECT_EQ(stored_, 12);
  EXPECT_EQ(bytes(), all);
  EXPECT_EQ(lines(), journal);
  const data::Table again = *extract(x_);
  EXPECT_EQ(stored_, 22);
  for (std::size_t f = 0; f < 5; ++f) {
    EXPECT_EQ(continued.columns[f].numbers, whole.columns[f].numbers);
    EXPECT_EQ(again.columns[f].numbers, whole.columns[f].numbers);
  }
}

TEST_F(FeatureFiles, StoredFeaturesAreNotComputedAgain) {
  extract(x_);
  FeatureFile file(path_, {{"network", 1}, {"batch", 4}});
  const jit::Module other = linear(3, 5, 2);
  const auto table = extract_features(other, {"x.csv", x_, {}}, {.batch_size = 4, .file = &file});
  EXPECT_EQ(table->columns[0].numbers,
            extract_features(net_, {"x.csv", x_, {}}, {.batch_size = 4})->columns[0].numbers);
}

TEST_F(FeatureFiles, WhatACrashLeftIsComputedAgain) {
  extract(x_);
  const std::string all = bytes(), journal = lines();
  const auto after = [&](const std::string& data, const std::string& text, std::int64_t stored) {
    write(path_, data);
    write(path_ + ".journal", text);
    EXPECT_TRUE(extract(x_));
    EXPECT_EQ(stored_, stored);
    EXPECT_EQ(bytes(), all);
    EXPECT_EQ(lines(), journal);
  };
  after(all, journal.substr(0, journal.size() - 3), 20);  // killed while writing a line
  after(all.substr(0, 170), journal, 8);                  // lines are there, features are not
  after("", journal, 0);
  std::string zeros = all;
  zeros.replace(90, 40, 40, '\0');  // pages that the system had not written when it stopped
  after(zeros, journal, 22);
}

TEST_F(FeatureFiles, RefusesWhatItWasNotWrittenFor) {
  extract(x_, 3);
  EXPECT_NE(refusal(x_, {{"network", 2}, {"batch", 4}}).find("was written for another network; delete it and"),
            std::string::npos);
  EXPECT_NE(refusal(x_, {{"network", 1}, {"batch", 8}}).find("was written with batch 4, not 8"), std::string::npos);
  EXPECT_NE(refusal(numbers(22, 3) + 1).find("for other examples"), std::string::npos);
  EXPECT_NE(refusal(x_.flip(0)).find("for other examples"), std::string::npos) << "another order";
  EXPECT_NE(refusal(x_.slice(0, 0, 8)).find("for more examples"), std::string::npos);
  FeatureFile open(path_, {{"network", 1}, {"batch", 4}});
  EXPECT_NE(refusal(x_).find("in use by another process"), std::string::npos);
}

TEST_F(FeatureFiles, NeverOverwritesOtherFiles) {
  write(path_, "a,b\n1,2\n");
  EXPECT_NE(refusal(x_).find("exists and is not a file of features"), std::string::npos);
  write(path_ + ".journal", "a,b\n1,2\n");
  EXPECT_NE(refusal(x_).find("is not a journal of features"), std::string::npos);
  EXPECT_EQ(bytes(), "a,b\n1,2\n");
  EXPECT_NE(thrown_message<core::FileError>([] { FeatureFile("/no/such/f.bin", Json::object()); }).find("cannot write"),
            std::string::npos);
}

}  // namespace
}  // namespace accrete::deep::feature_file_test
