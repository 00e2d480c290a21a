// The main commands in sequence.

#include <algorithm>
#include <cmath>

#include "accrete/core/version.hpp"
#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::session_test {
namespace {

class Session : public CommandTest {
 protected:
  Session() { ok("data make tic-tac-toe -o ttt.csv"); }

  void train() const {
    ok("train ttt.csv --target target --units 200 --units-per-step 3 --learning-rate 0.5 --seed 1 -o ttt.safetensors");
  }
};

TEST_F(Session, TrainsEvaluatesPredictsAndGrows) {
  train();
  EXPECT_NE(ok("evaluate ttt.safetensors ttt.csv --units 30,90,200").find("accuracy"), std::string::npos);
  ok("predict ttt.safetensors ttt.csv --units 90 --proba -o p.csv");
  const std::string predictions = read_file(path("p.csv"));
  EXPECT_TRUE(predictions.starts_with("prediction,p_negative,p_positive\n"));
  EXPECT_EQ(lines(predictions), 959u);
  EXPECT_NE(ok("inspect ttt.safetensors").find("27 features -> 198 relu units in 66 steps"), std::string::npos);
  ok("grow ttt.safetensors ttt.csv --units 300 -o bigger.safetensors");
  EXPECT_EQ(json("inspect bigger.safetensors")["units"], 300);
}

TEST_F(Session, ReportsATrainingAsJsonAndText) {
  const auto report = json("train ttt.csv --units 20 --validation-fraction 0.2 -o m.safetensors");
  EXPECT_EQ(report["model"], "m.safetensors");
  EXPECT_EQ(report["task"], "binary");
  EXPECT_NE(report["task_reason"], "");
  EXPECT_EQ(report["classes"], (nlohmann::json{"negative", "positive"}));
  EXPECT_EQ(report["features"], 27);
  EXPECT_EQ(report["parameters"]["units"], 20);
  EXPECT_EQ(report["parameters"]["learning_rate"], 0.55) << "five steps use a higher learning rate";
  EXPECT_EQ(report["parameters"]["prior_start"], false);
  for (const char* key : {"rows", "units", "steps", "train_loss", "validation_loss", "seconds"})
    EXPECT_TRUE(report[key].is_number()) << key;
  EXPECT_TRUE(report["notes"].is_array());
  const CommandResult text = run("train ttt.csv --units 8");
  EXPECT_NE(text.out.find("the last column"), std::string::npos) << "names the default target";
  EXPECT_NE(text.err.find("ttt.safetensors"), std::string::npos) << "names the default output";
  EXPECT_TRUE(exists("ttt.safetensors"));
  EXPECT_EQ(ok("train ttt.csv --units 8 --quiet"), "");
}

TEST_F(Session, EncodesBins) {
  std::string rows = "x,z,y\n";
  for (int i = 0; i < 60; ++i) rows += fmt::format("{},{},{}\n", i % 20, i % 2, 0.5 + (i % 20 - 7) * (i % 20 - 7));
  write("a.csv", rows);
  const auto report = json("train a.csv --bins 8 --alpha 0.1 --units 40 -o a.safetensors");
  EXPECT_EQ(report["features"], 10) << "x, its 8 bins and z, which has two values";
  EXPECT_EQ(report["parameters"]["bins"], 8);
  EXPECT_EQ(json("inspect a.safetensors")["parameters"]["bins"], 8);
  EXPECT_EQ(json("inspect a.safetensors")["inputs"][0]["bins"], 8);
  EXPECT_NE(ok("inspect a.safetensors").find("numeric, 8 bins"), std::string::npos);
  EXPECT_GT(json("evaluate a.safetensors a.csv")["results"][0]["r2"], 0.99);
  ok("grow a.safetensors a.csv --units 60 -o b.safetensors");
  EXPECT_EQ(json("inspect b.safetensors")["features"], 10);
  EXPECT_NE(run("grow a.safetensors a.csv --units 60 --bins 4 -o c.safetensors").err.find("--bins 8"),
            std::string::npos);
  EXPECT_NE(run("train a.csv --bins 257").err.find("at most 256"), std::string::npos);
  ok("train a.csv --bins 0 --units 8 -o plain.safetensors");
  EXPECT_EQ(json("inspect plain.safetensors")["features"], 2);
}

TEST_F(Session, ReportsAndStoresTheChoice) {
  ok("data make ringnorm -n 120 -o r.csv");
  EXPECT_NE(ok("train r.csv -o r.safetensors").find("settings on 120 held-out rows in 5 folds"), std::string::npos);
  EXPECT_NE(ok("inspect r.safetensors").find("settings on 120 held-out rows in 5 folds"), std::string::npos);
  const auto report = json("train r.csv -o r.safetensors"), seen = json("inspect r.safetensors");
  EXPECT_EQ(report["choice"], seen["choice"]);
  EXPECT_EQ(report["choice"]["trials"][0]["alpha"], seen["parameters"]["alpha"]);
  EXPECT_LE(report["choice"]["trials"][0]["best_units"], seen["units"]);
  double best = 1e9;
  for (const auto& point : seen["curve"]) best = std::min(best, point["validation_loss"].get<double>());
  EXPECT_LE(seen["curve"].back()["validation_loss"], 1.02 * best) << "the longest network within 2 % of the best";
  EXPECT_EQ(json("train r.csv --time-limit 0.001 -o r.safetensors")["stop"], "time");
  EXPECT_NE(run("train r.csv --time-limit -1 -o r.safetensors").err.find("--time-limit -1"), std::string::npos);
}

TEST_F(Session, EvaluatesAtAnyNumberOfUnits) {
  train();
  const CommandResult end = run("evaluate ttt.safetensors ttt.csv --units 100,30 --json");
  EXPECT_EQ(end.err, "accrete: --units 100 is between steps: using 99\n");
  const auto report = nlohmann::json::parse(end.out);
  EXPECT_EQ(report["rows"], 958);
  ASSERT_EQ(report["results"].size(), 2u);
  EXPECT_EQ(report["results"][0]["asked"], 100);
  EXPECT_EQ(report["results"][0]["units"], 99);
  EXPECT_EQ(report["results"][0]["steps"], 33);
  EXPECT_EQ(report["results"][1]["units"], 30);
  const auto curve = json("evaluate ttt.safetensors ttt.csv --units all")["results"];
  ASSERT_EQ(curve.size(), 66u);
  for (const char* metric : {"accuracy", "log_loss", "auc"})
    EXPECT_NEAR(curve[32][metric], report["results"][0][metric], 1e-9) << metric;
  EXPECT_EQ(json("evaluate ttt.safetensors ttt.csv")["results"][0]["units"], 198);
}

TEST_F(Session, PredictsWithoutTargetInAnyColumnOrder) {
  write("a.csv", "x,colour,y\n1,red,1.5\n2,blue,2.5\n3,red,3.5\n4,blue,9.25\n5,green,7\n");
  ok("train a.csv --units 8 -o a.safetensors");
  const std::string plain = ok("predict a.safetensors a.csv");
  EXPECT_TRUE(plain.starts_with("prediction\n"));
  EXPECT_EQ(lines(plain), 6u);
  write("b.csv", "extra,colour,x\nu,red,1\nv,blue,2\nw,red,3\n,blue,4\nz,green,5\n");
  EXPECT_EQ(ok("predict a.safetensors b.csv"), plain);
  const auto report = json("predict a.safetensors b.csv -o p.csv");
  EXPECT_EQ(report["rows"], 5);
  EXPECT_EQ(report["output"], "p.csv");
  EXPECT_EQ(read_file(path("p.csv")), plain);
}

TEST_F(Session, HandlesSeveralTargets) {
  write("m.csv", "x,u,v\n1,2,3.5\n2,4,1\n3,6,2.5\n4,8,0\n5,9,1\n");
  ok("train m.csv --target u,v --units 4 -o m.safetensors");
  EXPECT_TRUE(ok("predict m.safetensors m.csv").starts_with("prediction_u,prediction_v\n"));
  ok("train m.csv --target u --target v --units 4 -o again.safetensors");
  EXPECT_EQ(read_file(path("m.safetensors")), read_file(path("again.safetensors")));
}

TEST_F(Session, NotesUnitsThatDoNotFillAStep) {
  write("in.csv", "x,y\n1,2.5\n2,3.5\n3,4.75\n4,5.25\n");
  ok("train in.csv --units 8 -o m.safetensors");
  const CommandResult end = run("grow m.safetensors in.csv --units 14 --units-per-step 4 -o m.safetensors");
  EXPECT_NE(end.err.find("--units 14 cannot be reached in steps of 4: the network gets 12 units"), std::string::npos)
      << end.err;
}

TEST_F(Session, KeepsLabelsAsWritten) {
  write("z.csv", "code,y\n007,01\n7,02\n010,01\n10,02\n007,01\n7,02\n");
  ok("train z.csv --categorical code --units 8 --learning-rate 1 -o z.safetensors");
  EXPECT_EQ(json("inspect z.safetensors")["classes"], (nlohmann::json{"01", "02"}));
  EXPECT_EQ(ok("predict z.safetensors z.csv"), "prediction\n01\n02\n01\n02\n01\n02\n");
}

TEST_F(Session, ReadsFilesWithoutHeader) {
  write("n.csv", "1;5;a\n2;6;b\n3;7;a\n4;8;b\n");
  ok("train n.csv --no-header --target 2 --units 4 -o n.safetensors");
  EXPECT_EQ(json("inspect n.safetensors")["targets"], nlohmann::json{"c2"});
  EXPECT_EQ(json("evaluate n.safetensors n.csv --no-header")["rows"], 4);
}

TEST_F(Session, CrossValidates) {
  const auto report =
      json("cv ttt.csv --target target --folds 5 --preset paper --units 30 --units-per-step 3 --units-curve");
  EXPECT_EQ(report["metric"], "accuracy");
  EXPECT_EQ(report["folds"].size(), 5u);
  EXPECT_EQ(report["score"], report["metrics"]["accuracy"]);
  EXPECT_TRUE(report["train_loss"].is_number());
  EXPECT_GT(report["score"]["mean"], 0.7);
  EXPECT_LT(report["score"]["mean"], 1.0);
  ASSERT_EQ(report["curve"].size(), 10u);
  EXPECT_NEAR(report["curve"][9]["accuracy"], report["score"]["mean"], 1e-12);
  EXPECT_NE(ok("cv ttt.csv --folds 3 --units 20 --per-fold").find(" %"), std::string::npos);
}

TEST_F(Session, PrintsHelpAndVersion) {
  EXPECT_EQ(ok("--version"), std::string("accrete ") + core::version() + "\n");
  for (const char* command :
       {"data list", "data make", "train", "evaluate", "predict", "explain", "inspect", "cv", "grow"}) {
    EXPECT_EQ(ok(std::string(command) + " --version"), ok("--version"));
    const std::string help = ok(std::string(command) + " --help");
    EXPECT_NE(help.find("Example:\n  accrete " + std::string(command)), std::string::npos) << command;
    EXPECT_NE(help.find("--threads"), std::string::npos) << command;
  }
  const CommandResult nothing = run("");
  EXPECT_EQ(nothing.code, 2);
  EXPECT_NE(nothing.err.find("train"), std::string::npos);
}

TEST_F(Session, WritesDataToStandardOutput) {
  EXPECT_EQ(ok("data make tic-tac-toe"), read_file(path("ttt.csv")));
  EXPECT_EQ(ok("data make tic-tac-toe -o -"), read_file(path("ttt.csv")));
  EXPECT_EQ(lines(ok("data make spirals -n 30 --seed 4")), 31u);
  EXPECT_GE(json("data list")["data"].size(), 8u);
}

TEST(Docs, ParametersPageIsUpToDate) {
  FILE* pipe = ::popen(ACCRETE_COMMAND " docs parameters", "r");
  std::string page;
  for (int c; (c = std::fgetc(pipe)) != EOF;) page += static_cast<char>(c);
  ASSERT_EQ(::pclose(pipe), 0);
  EXPECT_TRUE(page == read_file(ACCRETE_SOURCE_DIR "/docs/parameters.md"))
      << "stale: run accrete docs parameters > docs/parameters.md";
}

}  // namespace
}  // namespace accrete::cli_test::session_test
