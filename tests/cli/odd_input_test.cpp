// Unusual data that must work.

#include <fmt/format.h>

#include "accrete/core/random.hpp"
#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::odd_input_test {
namespace {

class OddInput : public CommandTest {
 protected:
  /// Trains, evaluates and predicts; returns the evaluation.
  nlohmann::json round_trip(const std::string& text, std::size_t units = 20) const {
    write("in.csv", text);
    const auto report = json(fmt::format("train in.csv --units {} --quiet -o m.safetensors", units));
    EXPECT_TRUE(report["train_loss"].is_number());
    EXPECT_EQ(lines(ok("predict m.safetensors in.csv")), lines(text));
    return json("evaluate m.safetensors in.csv")["results"][0];
  }
};

/// Random numeric features and a target with two classes.
std::string random_rows(std::size_t rows, std::size_t features) {
  core::Rng rng(1, 0, core::Purpose::generator);
  std::string text;
  for (std::size_t f = 0; f < features; ++f) text += fmt::format("x{},", f);
  text += "y\n";
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t f = 0; f < features; ++f) text += fmt::format("{:.3f},", rng.normal());
    text += r % 2 ? "yes\n" : "no\n";
  }
  return text;
}

/// Cycles through the levels, so that the encoder makes `levels` features.
std::string one_hot_rows(std::size_t levels, std::size_t rows) {
  std::string text = "name,x,y\n";
  for (std::size_t i = 0; i < rows; ++i)
    text += fmt::format("level{},{},{}\n", i % levels, i % 7, i % levels % 3 ? "yes" : "no");
  return text;
}

TEST_F(OddInput, HandlesConstantFeatures) {
  EXPECT_EQ(round_trip("c,t,x,y\n5,w,1,a\n5,w,2,a\n5,w,8,b\n5,w,9,b\n")["accuracy"], 1.0);
  EXPECT_EQ(round_trip("c,y\n5,a\n5,a\n5,b\n")["accuracy"], 2.0 / 3.0)
      << "only constant columns: predicts the larger class";
}

TEST_F(OddInput, HandlesAConstantTarget) {
  std::string text = "x,y\n";
  for (int i = 0; i < 30; ++i) text += fmt::format("{},0.1\n", i);
  EXPECT_EQ(round_trip(text)["rmse"], 0.0);
  const CommandResult end = run("train in.csv -o m.safetensors");
  EXPECT_EQ(end.err,
            "accrete: the target 'y' is 0.1 in every training row: the model has no units and always predicts "
            "that\n");
  EXPECT_EQ(json("inspect m.safetensors")["units"], 0);
  EXPECT_EQ(json("cv in.csv --folds 3")["score"]["mean"], 0.0);
  EXPECT_EQ(json("search in.csv --folds 3 --units 6 --learning-rate 0.1 --subsample 1")["chosen"]["rmse"]["mean"], 0.0);
  ok("report m.safetensors in.csv -o page.html");
  for (const char* method : {"network --max-iter 20", "adaboost --estimators 3"})
    ok(fmt::format("train in.csv --method {} -o plain.safetensors", method));
}

TEST_F(OddInput, HandlesOneConstantTargetOfTwo) {
  std::string text = "x,y,z\n";
  for (int i = 0; i < 60; ++i) text += fmt::format("{},0.1,{}\n", i, (i - 30) * (i - 30));
  write("in.csv", text);
  const CommandResult end = run("train in.csv --target y,z --units 40 --auto off -o m.safetensors");
  EXPECT_EQ(end.err, "accrete: the target 'y' is 0.1 in every training row\n");
  EXPECT_GT(json("evaluate m.safetensors in.csv")["results"][0]["r2"], 0.4);
  const std::string first = ok("predict m.safetensors in.csv");
  EXPECT_NEAR(std::stod(first.substr(first.find('\n') + 1)), 0.1, 1e-6);
}

TEST_F(OddInput, KeepsIntegerClassesBeyondDoublePrecision) {
  std::string text = "x,y\n";
  for (int i = 0; i < 60; ++i) text += fmt::format("{},{}\n", i, i < 30 ? "9007199254740992" : "9007199254740993");
  EXPECT_EQ(round_trip(text)["accuracy"], 1.0);
  EXPECT_EQ(json("inspect m.safetensors")["classes"], (nlohmann::json{"9007199254740992", "9007199254740993"}));
  EXPECT_TRUE(ok("predict m.safetensors in.csv").ends_with("\n9007199254740993\n"));
}

TEST_F(OddInput, NotesClassesWithFewerRowsThanFolds) {
  std::string text = "x,y\n";
  for (int i = 0; i < 40; ++i) text += fmt::format("{},{}\n", i, i < 3 ? "rare" : "common");
  write("in.csv", text);
  const std::string note =
      "accrete: the class 'rare' has 3 rows, fewer than the 5 folds: some folds test no row of it; use fewer folds, or "
      "add rows of the class\n";
  const CommandResult cv = run("cv in.csv --folds 5 --units 8 --auto off --per-fold");
  EXPECT_EQ(cv.code, 0);
  EXPECT_EQ(cv.err, note);
  EXPECT_EQ(cv.out.find("nan"), std::string::npos) << cv.out;
  const auto result = json("cv in.csv --folds 5 --units 8 --auto off");
  EXPECT_EQ(result["notes"].size(), 1u);
  EXPECT_TRUE(result["metrics"]["auc"]["mean"].is_number()) << "of the folds that have both classes";
  for (const char* arguments :
       {"search in.csv --folds 5 --units 6", "compare in.csv --folds 5 --methods paper,adaboost"}) {
    const CommandResult end = run(arguments);
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_NE(end.err.find(note), std::string::npos) << end.err;
    EXPECT_EQ(end.out.find("diverged"), std::string::npos) << end.out;
    const CommandResult by_auc = run(arguments + std::string(" --metric auc"));
    EXPECT_EQ(by_auc.code, 1);
    EXPECT_EQ(lines(by_auc.err), 1u) << by_auc.err;
  }
}

TEST_F(OddInput, PrintsSingularForms) {
  write("in.csv", "x,y\n1,2.5\n2,4.5\n3,6.25\n4,8.5\n");
  const std::string trained = ok("train in.csv --units 1 --units-per-step 1 --auto off -o m.safetensors");
  EXPECT_NE(trained.find("4 training rows, 1 column\n"), std::string::npos) << trained;
  EXPECT_NE(trained.find("1 in 1 step\n"), std::string::npos) << trained;
  const std::string inspected = ok("inspect m.safetensors");
  EXPECT_NE(inspected.find("1 feature -> 1 tanh unit in 1 step -> 1 output\n"), std::string::npos) << inspected;
  EXPECT_EQ(ok("predict m.safetensors in.csv -o p.csv"), "p.csv: 4 predictions of 1 unit\n");
}

TEST_F(OddInput, HandlesDuplicateRows) {
  std::string text = "x,y\n";
  for (int i = 0; i < 50; ++i) text += "1,a\n2,b\n";
  EXPECT_EQ(round_trip(text)["accuracy"], 1.0);
  for (int i = 0; i < 50; ++i) text += "1,b\n";  // and rows that contradict each other
  round_trip(text);
}

TEST_F(OddInput, HandlesOneFeatureAndTwoRows) {
  EXPECT_LT(round_trip("x,y\n1,2.5\n2,4.5\n3,6.25\n4,8.5\n5,10\n")["rmse"], 1.0);
  round_trip("x,y\n1,a\n2,b\n");
}

TEST_F(OddInput, HandlesMissingValuesEverywhere) {
  round_trip("x,t,e,y\n1,,,a\n,u,,b\n3,v,,a\n?,NA,,b\n5,u,,a\n");
  write("new.csv", "x,t,e\n,,\n7,unseen,3\n");
  EXPECT_EQ(lines(ok("predict m.safetensors new.csv")), 3u);
}

TEST_F(OddInput, HandlesMoreColumnsThanRows) {
  round_trip(random_rows(10, 300));
}

TEST_F(OddInput, HandlesTwoThousandOneHotFeatures) {
  EXPECT_GT(round_trip(one_hot_rows(2000, 4000), 8)["accuracy"], 0.6);
}

TEST_F(OddInput, HandlesLargeAndSmallNumbers) {
  EXPECT_EQ(round_trip("x,z,y\n1e30,1e-30,a\n2e30,2e-30,a\n8e30,8e-30,b\n9e30,9e-30,b\n")["accuracy"], 1.0);
  EXPECT_LT(round_trip("x,y\n1,1e12\n2,2e12\n3,3e12\n4,4.5e12\n", 40)["rmse"], 5e11);
}

TEST_F(OddInput, PredictsFiniteNumbersFarFromTheTrainingRows) {
  std::string text = "a,b,y\n";
  for (int i = 0; i < 100; ++i)
    text += fmt::format("{:.2f},{:.2f},{}\n", i * 37 % 100 / 100.0, i * 61 % 100 / 100.0, i * 37 % 100 + i * 61 % 100);
  round_trip(text);
  write("new.csv", "a,b,y\n1e38,-1e38,3\n-3e38,3e38,4\n0.5,0.5,100\n");
  EXPECT_EQ(ok("predict m.safetensors new.csv").find("nan"), std::string::npos);
  EXPECT_TRUE(json("evaluate m.safetensors new.csv")["results"][0]["rmse"].is_number());
}

TEST_F(OddInput, HandlesLargeOffsets) {
  std::string target = "x,y\n", feature = "x,y\n", wide = "x,y\n";
  for (int i = 0; i < 60; ++i) {
    target += fmt::format("{},{}\n", i, 1'000'000'000 + i * i / 100.0);
    feature += fmt::format("{},{}\n", 1'000'000'000 + i, i * i / 100.0);
    wide += fmt::format("{},{}\n", 1'000'000'000 + 100'000 * i, i * i / 100.0);
  }
  EXPECT_GT(round_trip(target, 100)["r2"], 0.99);
  EXPECT_EQ(run("train in.csv --preset paper -o m.safetensors").code, 0);
  EXPECT_GT(json("evaluate m.safetensors in.csv")["results"][0]["r2"], 0.9) << "the target's mean is always subtracted";
  write("in.csv", feature);
  const std::string message = run("train in.csv --units 8 -o m.safetensors").err;
  EXPECT_NE(message.find("column 'x' holds numbers near 1e+09, kept to 7 digits"), std::string::npos) << message;
  write("in.csv", wide);
  EXPECT_EQ(run("train in.csv --units 8 -o m.safetensors").err, "") << "single precision is enough";
}

TEST_F(OddInput, NotesColumnsThatBecomeConstantInSinglePrecision) {
  std::string merged = "t,x,y\n", ids = "id,x,y\n", constant = "t,x,y\n";
  for (int i = 0; i < 60; ++i) {
    merged += fmt::format("{},{},{}\n", 1'700'000'000'000 + i * 1000, i % 7, i * i / 100.0);
    ids += fmt::format("{},{},{}\n", 16'777'216 + i % 2, i % 7, i * i / 100.0);
    constant += fmt::format("1700000000000,{},{}\n", i % 7, i * i / 100.0);
  }
  const auto notes = [&](const std::string& text) {
    write("in.csv", text);
    return run("train in.csv --units 8 --auto off -o m.safetensors").err;
  };
  EXPECT_NE(notes(merged).find("column 't' holds numbers near 1.7e+12, kept to 7 digits"), std::string::npos);
  EXPECT_NE(notes(ids).find("column 'id' holds numbers near 1.68e+07, kept to 7 digits: differences under 2 are"),
            std::string::npos);
  EXPECT_EQ(notes(constant), "");
}

TEST_F(OddInput, NotesAHeaderThatLooksLikeData) {
  const auto is_noted = [&](const std::string& header) {
    write("in.csv", header + "\n4.9,3.0,1.3\n4.7,3.2,1.2\n5,3.2,1.25\n");
    return run("train in.csv --units 4 -o m.safetensors").err.find("--no-header") != std::string::npos;
  };
  EXPECT_TRUE(is_noted("5.1,3.5,1.4"));
  EXPECT_TRUE(is_noted("5.1,3,setosa"));
  EXPECT_TRUE(is_noted("5,3,1"));
  EXPECT_FALSE(is_noted("0,1,2"));
  EXPECT_FALSE(is_noted("1985,1986,y"));
  write("in.csv", "5.1,3.5\n4.9,3.0\n4.7,3.2\n");
  EXPECT_EQ(run("train in.csv --units 4 --no-header -o m.safetensors").err, "");
}

TEST_F(OddInput, NotesAModelNoBetterThanAConstant) {
  write("in.csv", "x,y\n1,2.5\n2,3.5\n3,4.75\n4,5.25\n");
  const std::string train = "train in.csv --units 4 -o m.safetensors ";
  EXPECT_EQ(run(train).err, "");
  const std::string up = run(train + "--solver adam --solver-rate 1000 --max-iter 5").err;
  EXPECT_NE(up.find("no better than a constant; try a lower"), std::string::npos) << up;
}

TEST_F(OddInput, HandlesNamesWithCommasAndQuotes) {
  const auto end =
      round_trip("\"a,b\",\"say \"\"hi\"\"\",größe,y\n1,2,3,\"yes, it is\"\n2,3,4,no\n3,2,1,\"yes, it is\"\n");
  EXPECT_TRUE(end["accuracy"].is_number());
  EXPECT_TRUE(ok("predict m.safetensors in.csv --proba").starts_with("prediction,p_no,\"p_yes, it is\"\n"));
}

using SlowOddInput = OddInput;

TEST_F(SlowOddInput, HandlesTenThousandOneHotFeatures) {
  round_trip(one_hot_rows(10'000, 10'000), 8);
}

}  // namespace
}  // namespace accrete::cli_test::odd_input_test
