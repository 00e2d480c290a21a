#include "accrete/deep/examples.hpp"

#include <cmath>
#include <fstream>

#include "accrete/core/error.hpp"
#include "accrete/io/csv.hpp"
#include "tests/deep/scratch.hpp"

namespace accrete::deep::examples_test {
namespace {

constexpr const char* table_text =
    "size,colour,score,kind\n1.5,red,10,no\n,blue,20,yes\n3,,30,no\n4,red,40,maybe\n-2,green,50,yes\n";

ExampleSource table_source(const std::string& path) {
  ExampleSource source;
  source.path = path;
  return source;
}

TEST(Examples, ATableForClasses) {
  const Scratch at;
  core::Workers workers(2);
  at.write("t.csv", table_text);
  const TrainingExamples opened = open_examples(table_source(at.path("t.csv")), workers);
  const auto& [purpose, examples] = opened;
  EXPECT_EQ(purpose.inputs.kind, Inputs::Kind::table);
  EXPECT_EQ(purpose.task, data::Task::multiclass);
  EXPECT_EQ(purpose.targets, std::vector<std::string>{"kind"});
  EXPECT_EQ(purpose.classes, (std::vector<std::string>{"maybe", "no", "yes"}));
  EXPECT_EQ(examples.targets.dtype(), torch::kInt64);
  EXPECT_TRUE(examples.targets.equal(torch::tensor({1, 2, 1, 0, 2}, torch::kInt64)));
  ASSERT_EQ(examples.inputs.sizes(), (std::vector<std::int64_t>{5, 3}));
  EXPECT_EQ(examples.inputs[0][0].item<float>(), 1.5f);
  EXPECT_TRUE(std::isnan(examples.inputs[1][0].item<float>()));
  EXPECT_TRUE(std::isnan(examples.inputs[2][1].item<float>()));

  // Rows are those that the encoder takes: they encode to what the table does.
  const data::Encoder& encoder = purpose.inputs.encoder;
  const auto encoded = encoder.encode(io::read_csv(at.path("t.csv"), {}, workers));
  std::vector<float> features(encoder.features());
  for (std::int64_t r = 0; r < 5; ++r) {
    encoder.encode_row({examples.inputs.data_ptr<float>() + 3 * r, 3}, features);
    for (std::size_t f = 0; f < features.size(); ++f)
      EXPECT_EQ(features[f], encoded.at(static_cast<std::size_t>(r), f)) << r << ' ' << f;
  }
}

TEST(Examples, ATableForNumbers) {
  const Scratch at;
  core::Workers workers(1);
  at.write("t.csv", table_text);
  ExampleSource source = table_source(at.path("t.csv"));
  source.target = "score";
  source.task = data::Task::regression;
  const auto [purpose, examples] = open_examples(source, workers);
  EXPECT_TRUE(purpose.classes.empty());
  EXPECT_EQ(purpose.outputs(), 1);
  EXPECT_DOUBLE_EQ(purpose.shift, 30.0);
  EXPECT_DOUBLE_EQ(purpose.scale, std::sqrt(200.0));
  EXPECT_TRUE(examples.targets.equal(torch::tensor({10.0, 20.0, 30.0, 40.0, 50.0}, torch::kFloat64)));
  EXPECT_EQ(examples.inputs.size(1), 3);
}

/// What is large beside its differences keeps them.
TEST(Examples, NumbersKeepTheirDigits) {
  const Scratch at;
  core::Workers workers(1);
  at.write("t.csv", "x,y\n1,50000000.25\n2,50000001.5\n3,50000003.75\n");
  ExampleSource source = table_source(at.path("t.csv"));
  source.task = data::Task::regression;
  const auto [purpose, examples] = open_examples(source, workers);
  EXPECT_TRUE(examples.targets.equal(torch::tensor({50000000.25, 50000001.5, 50000003.75}, torch::kFloat64)));
}

TEST(Examples, AnotherTableForTheSameNetwork) {
  const Scratch at;
  core::Workers workers(1);
  at.write("t.csv", table_text);
  const Purpose purpose = open_examples(table_source(at.path("t.csv")), workers).purpose;
  const auto& levels = purpose.inputs.encoder.inputs().at(1).levels;
  const auto red = static_cast<float>(std::ranges::find(levels, "red") - levels.begin());

  at.write("later.csv", "kind;score;more;colour;size\nyes;1;x;red;7\nno;2;x;mauve;\n");  // other order, other columns
  const Examples later = read_examples(purpose, table_source(at.path("later.csv")), workers);
  ExampleSource other = table_source(at.path("later.csv"));
  other.task = data::Task::regression;
  EXPECT_THROW(read_examples(purpose, other, workers), core::UsageError);
  other.task.reset();
  other.categorical = {"size"};
  EXPECT_THROW(read_examples(purpose, other, workers), core::UsageError);
  EXPECT_TRUE(later.targets.equal(torch::tensor({2, 1}, torch::kInt64)));
  EXPECT_TRUE(later.inputs[0].equal(torch::tensor({7.0f, red, 1.0f})));
  EXPECT_TRUE(std::isnan(later.inputs[1][0].item<float>()));
  EXPECT_EQ(later.inputs[1][1].item<float>(), -1.0f);  // a level that training did not have

  at.write("bare.csv", "colour,size,score\nred,7,1\n");
  EXPECT_FALSE(read_examples(purpose, table_source(at.path("bare.csv")), workers).targets.defined());
  ExampleSource named = table_source(at.path("bare.csv"));
  named.target = "answer";
  EXPECT_THROW(read_examples(purpose, named, workers), core::UsageError);

  at.write("short.csv", "colour,size\nred,7\n");
  EXPECT_EQ(message_of<core::DataError>([&] { read_examples(purpose, table_source(at.path("short.csv")), workers); }),
            at.path("short.csv") + ": column 'score' is missing; the model needs it");
  at.write("odd.csv", "colour,size,score,kind\nred,7,1,never\n");
  EXPECT_EQ(message_of<core::DataError>([&] { read_examples(purpose, table_source(at.path("odd.csv")), workers); }),
            at.path("odd.csv") +
                ": row 1 (counting from 1), column 'kind': the model does not know the class 'never'; it knows maybe, "
                "no, yes");
  EXPECT_EQ(message_of<core::DataError>([&] { read_examples(purpose, table_source(at.folder()), workers); }),
            at.folder() + " is a folder; the network takes the rows of a table");
}

TEST(Examples, Images) {
  const Scratch at;
  core::Workers workers(1);
  at.write("train-images-idx3-ubyte", idx_images(3));
  at.write("train-labels-idx1-ubyte", idx_labels({10, 4, 10}));
  at.write("t10k-images-idx3-ubyte", idx_images(2, 100));
  at.write("t10k-labels-idx1-ubyte", idx_labels({4, 4}));
  const auto [purpose, examples] = open_examples(table_source(at.folder()), workers);
  EXPECT_EQ(purpose.inputs.kind, Inputs::Kind::images);
  EXPECT_EQ(purpose.inputs.channels, 1);
  EXPECT_EQ(purpose.inputs.height, 2);
  EXPECT_EQ(purpose.inputs.width, 3);
  EXPECT_EQ(purpose.classes, (std::vector<std::string>{"4", "10"}));  // as numbers; classes without images are none
  EXPECT_EQ(purpose.task, data::Task::binary);
  EXPECT_EQ(purpose.outputs(), 2);
  EXPECT_EQ(examples.inputs.dtype(), torch::kUInt8);
  EXPECT_TRUE(examples.inputs.equal(torch::arange(18, torch::kUInt8).view({3, 1, 2, 3})));
  EXPECT_TRUE(examples.targets.equal(torch::tensor({1, 0, 1}, torch::kInt64)));

  ExampleSource test = table_source(at.folder());
  test.part = ImageSubset::test;
  const Examples tested = read_examples(purpose, test, workers);
  EXPECT_TRUE(tested.targets.equal(torch::zeros({2}, torch::kInt64)));
  EXPECT_EQ(tested.inputs[1][0][1][2].item<int>(), 111);
  EXPECT_EQ(message_of<core::DataError>([&] { open_examples(test, workers); }),
            at.folder() + ": the target 'label' has a single class, '4'");

  at.write("t10k-labels-idx1-ubyte", idx_labels({4, 5}));
  EXPECT_EQ(
      message_of<core::DataError>([&] { read_examples(purpose, test, workers); }),
      at.folder() + ": row 2 (counting from 1), column 'label': the model does not know the class '5'; it knows 4, 10");
  Purpose wide = purpose;
  wide.inputs.width = 4;
  EXPECT_EQ(message_of<core::DataError>([&] { read_examples(wide, table_source(at.folder()), workers); }),
            at.folder() + ": images of 2 x 3 with 1 channels; the network takes 2 x 4 with 1");
  Purpose colours = purpose;
  colours.inputs.channels = 3;
  const auto grey = read_examples(colours, table_source(at.folder()), workers).inputs;
  ASSERT_EQ(grey.sizes(), (std::vector<std::int64_t>{3, 3, 2, 3}));
  for (int c = 0; c < 3; ++c) EXPECT_TRUE(grey.select(1, c).equal(examples.inputs.select(1, 0)));
}

TEST(Examples, WhatIsNeitherATableNorImages) {
  const Scratch at;
  core::Workers workers(1);
  EXPECT_EQ(message_of<core::DataError>([&] { open_examples(table_source(at.folder()), workers); }),
            at.folder() +
                ": no images found; looked for train-images-idx3-ubyte (MNIST's files, .gz or not), "
                "data_batch_1.bin or train.bin (CIFAR's), and folders CLASS or train/CLASS of PNG files");
  EXPECT_EQ(message_of<core::FileError>([&] { open_examples(table_source(at.path("none.csv")), workers); }),
            "cannot read '" + at.path("none.csv") + "': No such file or directory");
  ExampleSource source = table_source(at.folder());
  source.target = "kind";
  EXPECT_EQ(
      message_of<core::UsageError>([&] { open_examples(source, workers); }),
      at.folder() + " is a folder: target, task, categorical columns, header and delimiter are said of tables only");
  Purpose images;
  images.inputs.kind = Inputs::Kind::images;
  at.write("t.csv", table_text);
  EXPECT_EQ(message_of<core::DataError>([&] { read_examples(images, table_source(at.path("t.csv")), workers); }),
            at.path("t.csv") + " is no folder; the network takes a folder of images");
}

}  // namespace
}  // namespace accrete::deep::examples_test
