// A mistyped command, flag or name is answered with the one that was probably meant.

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::suggestion_test {
namespace {

class Suggestion : public CommandTest {
 protected:
  Suggestion() { write("in.csv", "width,y\n1,2.5\n2,3.5\n3,4.75\n4,5.25\n"); }

  void expect_hint(const std::string& arguments, const std::string& hint) const {
    const CommandResult end = run(arguments);
    EXPECT_EQ(end.code, 2) << arguments;
    EXPECT_EQ(lines(end.err), 1u) << end.err;
    EXPECT_NE(end.err.find(hint), std::string::npos) << end.err;
  }
};

TEST_F(Suggestion, NamesTheCommandFlagOrName) {
  expect_hint("trian in.csv", "did you mean 'train'?");
  expect_hint("data mak spirals", "did you mean 'make'?");
  expect_hint("train in.csv --unts 8", "did you mean '--units'?");
  expect_hint("train in.csv --learning_rate=0.5", "did you mean '--learning-rate'?");
  expect_hint("train in.csv --loss hubber", "did you mean 'huber'?");
  expect_hint("train in.csv --preset defualt", "did you mean 'default'?");
  expect_hint("train in.csv --task regresion", "did you mean 'regression'?");
  expect_hint("train in.csv --method netwrok", "did you mean 'network'?");
  expect_hint("train in.csv --metric rsme --validation-fraction 0.5", "did you mean 'rmse'?");
  expect_hint("compare in.csv --methods acrete", "did you mean 'accrete'?");
  expect_hint("train in.csv --target widht", "did you mean 'width'?");
}

TEST_F(Suggestion, IsSilentForAnotherWord) {
  for (const char* arguments : {"frobnicate", "train in.csv --frobnicate 8", "train in.csv --loss zzz"})
    EXPECT_EQ(run(arguments).err.find("did you mean"), std::string::npos) << arguments;
}

}  // namespace
}  // namespace accrete::cli_test::suggestion_test
