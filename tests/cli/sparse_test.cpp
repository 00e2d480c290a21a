// svmlight files.

#include <fmt/format.h>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::sparse_test {
namespace {

class SparseCommand : public CommandTest {
 protected:
  /// Expects an error of one line; returns it.
  std::string fails(const std::string& arguments, int code = 2) const {
    const CommandResult end = run(arguments);
    EXPECT_EQ(end.code, code) << arguments;
    EXPECT_EQ(lines(end.err), 1u) << end.err;
    return end.err;
  }

  /// Rows of four columns, of which two are not 0; the class is that of the first one.
  void write_rows(const std::string& name, int rows, int first = 1) const {
    std::string text = "# label index:value\n";
    for (int i = 0; i < rows; ++i)
      text += fmt::format("{} {}:{} {}:{}\n", i % 2 == 0 ? "yes" : "no", first + i % 2, 1 + i % 3, first + 2 + i % 2,
                          0.5 * (i % 5));
    write(name, text);
  }
};

constexpr const char* quick = " --auto off --units 8 --max-iter 4 -o m.safetensors";

TEST_F(SparseCommand, TrainsPredictsAndEvaluates) {
  write_rows("in.svm", 60);
  write_rows("zero.libsvm", 60, 0);
  ok(std::string("train in.svm --validation in.svm") + quick);
  const auto model = json("inspect m.safetensors");
  EXPECT_EQ(model["inputs"].size(), 4u);
  EXPECT_EQ(model["targets"][0], "label");
  const std::string predictions = ok("predict m.safetensors in.svm --proba");
  EXPECT_EQ(lines(predictions), 61u);
  EXPECT_EQ(ok("predict m.safetensors zero.libsvm --zero-based --proba"), predictions);
  EXPECT_EQ(json("evaluate m.safetensors in.svm")["rows"], 60);
  EXPECT_EQ(json("cv in.svm --folds 3 --units 8 --auto off --max-iter 4")["folds"].size(), 3u);
  EXPECT_EQ(lines(ok("explain m.safetensors in.svm")), lines(ok("explain m.safetensors in.svm --units 4")));
  ok("grow m.safetensors in.svm --units 16 -o larger.safetensors");
  EXPECT_EQ(lines(ok("predict larger.safetensors in.svm")), 61u);
  ok("export m.safetensors --c m.h");
}

TEST_F(SparseCommand, APredictFileMayHaveFewerColumnsButNotMore) {
  write_rows("in.svm", 60);
  ok(std::string("train in.svm") + quick);
  write("few.svm", "0 1:1\n0\n");
  EXPECT_EQ(lines(ok("predict m.safetensors few.svm")), 3u);
  write("more.svm", "0 1:1\n0 5:1\n");
  EXPECT_EQ(fails("predict m.safetensors more.svm", 1),
            "accrete: more.svm: line 2 has the index 5; the largest of the model is 4\n");
  ok(std::string("train in.svm --ignore x1") + quick);
  EXPECT_EQ(lines(ok("predict m.safetensors few.svm")), 3u);
}

TEST_F(SparseCommand, GivesThePredictionsOfTheSameCsvFile) {
  write_rows("in.svm", 60);
  ok(std::string("train in.svm") + quick);
  write("dense.csv", "x0,x1,x2,x3\n2,0,0,0\n0,1,0.5,0\n");
  write("dense.svm", "0 1:2\n0 2:1 3:0.5\n");
  EXPECT_EQ(ok("predict m.safetensors dense.csv --proba"), ok("predict m.safetensors dense.svm --proba"));
}

TEST_F(SparseCommand, IsRefusedInOneLineWhereItIsNotRead) {
  write_rows("in.svm", 60);
  ok(std::string("train in.svm") + quick);
  write("in.csv", "x0,label\n1,yes\n2,no\n");
  EXPECT_EQ(fails("compare in.svm --methods accrete"), "accrete: in.svm: compare reads CSV files, not svmlight\n");
  EXPECT_EQ(fails("data split in.svm --train a --test b"),
            "accrete: in.svm: data split reads CSV files, not svmlight\n");
  EXPECT_NE(fails("train in.svm --method network -o n.safetensors").find("reads dense columns only"),
            std::string::npos);
  EXPECT_EQ(fails(std::string("train in.svm --validation in.csv") + quick),
            "accrete: 'in.csv' and 'in.svm' must both be svmlight files, or both CSV\n");
  EXPECT_NE(fails(std::string("train in.svm --target x1") + quick).find("'x1' is sparse"), std::string::npos);
  EXPECT_NE(fails(std::string("train in.svm --categorical x1") + quick).find("are for CSV files"), std::string::npos);
  write("text.csv", "a,y\nred,1\nblue,2\nred,1\nblue,2\n");
  ok("train text.csv --auto off --units 4 -o t.safetensors");
  EXPECT_EQ(fails("predict t.safetensors in.svm"),
            "accrete: in.svm: svmlight files contain only numbers, but the model reads text in 'a'\n");
}

}  // namespace
}  // namespace accrete::cli_test::sparse_test
