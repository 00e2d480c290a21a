#include "accrete/deep/dataset.hpp"

#include <cmath>
#include <fstream>

#include "accrete/core/error.hpp"
#include "accrete/io/csv.hpp"
#include "tests/deep/image_files.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::deep::dataset_test {
namespace {

constexpr const char* table_text =
    "size,colour,score,kind\n1.5,red,10,no\n,blue,20,yes\n3,,30,no\n4,red,40,maybe\n-2,green,50,yes\n";

DatasetSource table_source(const std::string& path) {
  DatasetSource source;
  source.path = path;
  return source;
}

TEST(Dataset, ReadsATableWithClasses) {
  const ImageFiles files;
  core::Workers workers(2);
  files.write("t.csv", table_text);
  const DatasetWithSignature training_set = read_training_set(table_source(files.path("t.csv")), workers);
  const auto& [signature, dataset] = training_set;
  EXPECT_EQ(signature.inputs.kind, Inputs::Kind::table);
  EXPECT_EQ(signature.task, data::Task::multiclass);
  EXPECT_EQ(signature.targets, std::vector<std::string>{"kind"});
  EXPECT_EQ(signature.classes, (std::vector<std::string>{"maybe", "no", "yes"}));
  EXPECT_EQ(dataset.targets.dtype(), torch::kInt64);
  EXPECT_TRUE(dataset.targets.equal(torch::tensor({1, 2, 1, 0, 2}, torch::kInt64)));
  ASSERT_EQ(dataset.inputs.sizes(), (std::vector<std::int64_t>{5, 3}));
  EXPECT_EQ(dataset.inputs[0][0].item<float>(), 1.5f);
  EXPECT_TRUE(std::isnan(dataset.inputs[1][0].item<float>()));
  EXPECT_TRUE(std::isnan(dataset.inputs[2][1].item<float>()));

  // Rows are those that the encoder takes: they encode to what the table does.
  const data::Encoder& encoder = signature.inputs.encoder;
  const auto encoded = encoder.encode(io::read_csv(files.path("t.csv"), {}, workers));
  std::vector<float> features(encoder.features());
  for (std::int64_t r = 0; r < 5; ++r) {
    encoder.encode_row({dataset.inputs.data_ptr<float>() + 3 * r, 3}, features);
    for (std::size_t f = 0; f < features.size(); ++f)
      EXPECT_EQ(features[f], encoded.at(static_cast<std::size_t>(r), f)) << r << ' ' << f;
  }
}

TEST(Dataset, ReadsATableWithNumericTargets) {
  const ImageFiles files;
  core::Workers workers(1);
  files.write("t.csv", table_text);
  DatasetSource source = table_source(files.path("t.csv"));
  source.target = "score";
  source.task = data::Task::regression;
  const auto [signature, dataset] = read_training_set(source, workers);
  EXPECT_TRUE(signature.classes.empty());
  EXPECT_EQ(signature.outputs(), 1);
  EXPECT_DOUBLE_EQ(signature.shift, 30.0);
  EXPECT_DOUBLE_EQ(signature.scale, std::sqrt(200.0));
  EXPECT_TRUE(dataset.targets.equal(torch::tensor({10.0, 20.0, 30.0, 40.0, 50.0}, torch::kFloat64)));
  EXPECT_EQ(dataset.inputs.size(1), 3);
}

/// What is large beside its differences keeps them.
TEST(Dataset, KeepsTheDigitsOfTargets) {
  const ImageFiles files;
  core::Workers workers(1);
  files.write("t.csv", "x,y\n1,50000000.25\n2,50000001.5\n3,50000003.75\n");
  DatasetSource source = table_source(files.path("t.csv"));
  source.task = data::Task::regression;
  const auto [signature, dataset] = read_training_set(source, workers);
  EXPECT_TRUE(dataset.targets.equal(torch::tensor({50000000.25, 50000001.5, 50000003.75}, torch::kFloat64)));
}

TEST(Dataset, ReadsAnotherTableForTheSameNetwork) {
  const ImageFiles files;
  core::Workers workers(1);
  files.write("t.csv", table_text);
  const Signature signature = read_training_set(table_source(files.path("t.csv")), workers).signature;
  const auto& levels = signature.inputs.encoder.inputs().at(1).levels;
  const auto red = static_cast<float>(std::ranges::find(levels, "red") - levels.begin());

  files.write("later.csv",
              "kind;score;more;colour;size\nyes;1;x;red;7\nno;2;x;mauve;\n");  // other order, other columns
  const TensorDataset later = read_dataset(signature, table_source(files.path("later.csv")), workers);
  DatasetSource other = table_source(files.path("later.csv"));
  other.task = data::Task::regression;
  EXPECT_THROW(read_dataset(signature, other, workers), core::UsageError);
  other.task.reset();
  other.categorical = {"size"};
  EXPECT_THROW(read_dataset(signature, other, workers), core::UsageError);
  EXPECT_TRUE(later.targets.equal(torch::tensor({2, 1}, torch::kInt64)));
  EXPECT_TRUE(later.inputs[0].equal(torch::tensor({7.0f, red, 1.0f})));
  EXPECT_TRUE(std::isnan(later.inputs[1][0].item<float>()));
  EXPECT_EQ(later.inputs[1][1].item<float>(), -1.0f);  // a level that training did not have

  files.write("bare.csv", "colour,size,score\nred,7,1\n");
  EXPECT_FALSE(read_dataset(signature, table_source(files.path("bare.csv")), workers).targets.defined());
  DatasetSource named = table_source(files.path("bare.csv"));
  named.target = "answer";
  EXPECT_THROW(read_dataset(signature, named, workers), core::UsageError);

  files.write("short.csv", "colour,size\nred,7\n");
  EXPECT_EQ(
      thrown_message<core::DataError>([&] { read_dataset(signature, table_source(files.path("short.csv")), workers); }),
      files.path("short.csv") + ": column 'score' is missing; the model needs it");
  files.write("odd.csv", "colour,size,score,kind\nred,7,1,never\n");
  EXPECT_EQ(
      thrown_message<core::DataError>([&] { read_dataset(signature, table_source(files.path("odd.csv")), workers); }),
      files.path("odd.csv") +
          ": row 1 (counting from 1), column 'kind': the model does not know the class 'never'; it knows maybe, "
          "no, yes");
  EXPECT_EQ(thrown_message<core::DataError>([&] { read_dataset(signature, table_source(files.folder()), workers); }),
            files.folder() + " is a folder; the network expects a table");
}

TEST(Dataset, ReadsImages) {
  const ImageFiles files;
  core::Workers workers(1);
  files.write("train-images-idx3-ubyte", idx_images(3));
  files.write("train-labels-idx1-ubyte", idx_labels({10, 4, 10}));
  files.write("t10k-images-idx3-ubyte", idx_images(2, 100));
  files.write("t10k-labels-idx1-ubyte", idx_labels({4, 4}));
  const auto [signature, dataset] = read_training_set(table_source(files.folder()), workers);
  EXPECT_EQ(signature.inputs.kind, Inputs::Kind::images);
  EXPECT_EQ(signature.inputs.channels, 1);
  EXPECT_EQ(signature.inputs.height, 2);
  EXPECT_EQ(signature.inputs.width, 3);
  EXPECT_EQ(signature.classes, (std::vector<std::string>{"4", "10"}));  // as numbers; classes without images are none
  EXPECT_EQ(signature.task, data::Task::binary);
  EXPECT_EQ(signature.outputs(), 2);
  EXPECT_EQ(dataset.inputs.dtype(), torch::kUInt8);
  EXPECT_TRUE(dataset.inputs.equal(torch::arange(18, torch::kUInt8).view({3, 1, 2, 3})));
  EXPECT_TRUE(dataset.targets.equal(torch::tensor({1, 0, 1}, torch::kInt64)));

  DatasetSource test = table_source(files.folder());
  test.part = ImageSubset::test;
  const TensorDataset tested = read_dataset(signature, test, workers);
  EXPECT_TRUE(tested.targets.equal(torch::zeros({2}, torch::kInt64)));
  EXPECT_EQ(tested.inputs[1][0][1][2].item<int>(), 111);
  EXPECT_EQ(thrown_message<core::DataError>([&] { read_training_set(test, workers); }),
            files.folder() + ": the target 'label' has a single class, '4'");

  files.write("t10k-labels-idx1-ubyte", idx_labels({4, 5}));
  EXPECT_EQ(thrown_message<core::DataError>([&] { read_dataset(signature, test, workers); }),
            files.folder() +
                ": row 2 (counting from 1), column 'label': the model does not know the class '5'; it knows 4, 10");
  Signature wide = signature;
  wide.inputs.width = 4;
  EXPECT_EQ(thrown_message<core::DataError>([&] { read_dataset(wide, table_source(files.folder()), workers); }),
            files.folder() + ": images of 2 x 3 with 1 channels; the network expects 2 x 4 with 1");
  Signature colours = signature;
  colours.inputs.channels = 3;
  const auto grey = read_dataset(colours, table_source(files.folder()), workers).inputs;
  ASSERT_EQ(grey.sizes(), (std::vector<std::int64_t>{3, 3, 2, 3}));
  for (int c = 0; c < 3; ++c) EXPECT_TRUE(grey.select(1, c).equal(dataset.inputs.select(1, 0)));
}

TEST(Dataset, RejectsOtherPaths) {
  const ImageFiles files;
  core::Workers workers(1);
  EXPECT_EQ(thrown_message<core::DataError>([&] { read_training_set(table_source(files.folder()), workers); }),
            files.folder() +
                ": no images found; looked for train-images-idx3-ubyte (MNIST's files, .gz or not), "
                "data_batch_1.bin or train.bin (CIFAR's), and folders CLASS or train/CLASS of PNG files");
  EXPECT_EQ(thrown_message<core::FileError>([&] { read_training_set(table_source(files.path("none.csv")), workers); }),
            "cannot read '" + files.path("none.csv") + "': No such file or directory");
  DatasetSource source = table_source(files.folder());
  source.target = "kind";
  EXPECT_EQ(
      thrown_message<core::UsageError>([&] { read_training_set(source, workers); }),
      files.folder() + " is a folder of images; target, task, categorical, header and delimiter apply only to tables");
  Signature images;
  images.inputs.kind = Inputs::Kind::images;
  files.write("t.csv", table_text);
  EXPECT_EQ(thrown_message<core::DataError>([&] { read_dataset(images, table_source(files.path("t.csv")), workers); }),
            files.path("t.csv") + " is not a folder; the network expects a folder of images");
}

}  // namespace
}  // namespace accrete::deep::dataset_test
