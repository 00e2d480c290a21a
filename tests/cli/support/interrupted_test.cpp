// Fits that are interrupted, resumed, grown or spread over threads give the same bytes.

#include <chrono>
#include <thread>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::interrupted_test {
namespace {

using namespace std::chrono_literals;

class Interruption : public CommandTest {
 protected:
  Interruption() { ok("data make ringnorm -n 1000 -o r.csv"); }

  /// Waits until the condition holds; false after 30 seconds.
  template <class Condition>
  static bool eventually(Condition&& holds) {
    for (int i = 0; i < 3000; ++i) {
      if (holds()) return true;
      std::this_thread::sleep_for(10ms);
    }
    return false;
  }
};

TEST_F(Interruption, SavesTheModelAfterCtrlC) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t child = start("train r.csv --units 40000 --checkpoint-every 40 -o m.safetensors --json");
    ASSERT_TRUE(eventually([&] { return exists("m.safetensors.checkpoint"); }));
    ::kill(child, signal);
    const CommandResult end = wait(child);
    EXPECT_EQ(end.code, 130);
    EXPECT_EQ(lines(end.err), 1u) << end.err;
    const std::string name = signal == SIGINT ? "Ctrl-C" : signal == SIGTERM ? "SIGTERM" : "SIGHUP";
    EXPECT_NE(end.err.find("stopped by " + name + " after "), std::string::npos) << end.err;
    EXPECT_NE(end.err.find("accrete grow m.safetensors r.csv --units 40000"), std::string::npos);
    EXPECT_EQ(nlohmann::json::parse(end.out)["stop"], "interrupted");
    const auto model = json("inspect m.safetensors");
    EXPECT_GE(model["units"], 40);
    EXPECT_EQ(model["units"], json("inspect m.safetensors.checkpoint")["units"]) << "--resume can continue as well";
    fs::remove(path("m.safetensors.checkpoint"));
  }
}

TEST_F(Interruption, StopsACrossValidationAfterCtrlC) {
  const pid_t child = start("cv r.csv --units 40000");
  std::this_thread::sleep_for(300ms);
  ::kill(child, SIGINT);
  const CommandResult end = wait(child);
  EXPECT_EQ(end.code, 130);
  EXPECT_EQ(end.out, "");
}

TEST_F(Interruption, LeavesNoFileOfWorkWithoutResults) {
  ok("data make ringnorm -n 200000 -o many.csv");
  ok("train r.csv --auto off --units 20000 --units-per-step 20 --max-iter 1 -o m.safetensors");
  const auto begin = std::chrono::steady_clock::now();
  for (const std::string command :
       {"data make friedman1 -n 5000000 -o e.csv", "explain m.safetensors many.csv -o e.csv --threads 1",
        "predict m.safetensors many.csv -o e.csv --threads 1", "evaluate m.safetensors many.csv --units all"}) {
    const pid_t child = start(command);
    std::this_thread::sleep_for(700ms);
    ::kill(child, SIGTERM);
    const CommandResult end = wait(child);
    EXPECT_EQ(end.code, 130) << command;
    EXPECT_EQ(end.err, "accrete: stopped by SIGTERM; no output was written\n") << command;
    EXPECT_EQ(end.out, "") << command;
    for (const auto& entry : fs::directory_iterator(folder_))
      EXPECT_EQ(entry.path().filename().string().find("e.csv"), std::string::npos) << command << entry.path();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
}

TEST_F(Interruption, LeavesNoTemporaryFile) {
  for (const int signals : {1, 2}) {
    const pid_t child = start("data make friedman1 -n 400000 -o e.csv");
    const std::string temporary = ".e.csv.tmp-" + std::to_string(child);
    // check_output() has created and removed the file before the rows were made.
    std::error_code error;
    const auto is_written = [&] {
      const auto size = fs::file_size(path(temporary), error);
      return !error && size > 0;
    };
    ASSERT_TRUE(eventually(is_written));
    for (int i = 0; i < signals; ++i) ::kill(child, SIGINT);
    const int code = wait(child).code;
    EXPECT_TRUE(code == 130 || (signals == 2 && code == -SIGINT)) << code;
    EXPECT_FALSE(exists(temporary));
    EXPECT_FALSE(exists("e.csv"));
  }
}

TEST_F(Interruption, AnswersWithinASecondBeforeTheFirstStep) {
  const auto begin = std::chrono::steady_clock::now();
  // One step that takes minutes.
  const std::string step = " --auto off --units 4000 --units-per-step 4000 --max-iter 10000 --tolerance 0";
  const pid_t child = start("train r.csv" + step + " -o m.safetensors");
  std::this_thread::sleep_for(300ms);
  ::kill(child, SIGTERM);
  const CommandResult end = wait(child);
  EXPECT_EQ(end.code, 130);
  EXPECT_EQ(end.err, "accrete: stopped by SIGTERM; no output was written\n");
  EXPECT_FALSE(exists("m.safetensors"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
}

TEST_F(Interruption, ReportsAFileThatBecomesShorterWhileItIsRead) {
  std::string rows = "x,y\n";
  while (rows.size() < std::size_t{48} << 20) rows += "0.123456789,0.987654321\n";  // large enough to be mapped
  write("big.csv", rows);
  const pid_t child = start("train big.csv --target y -o m.safetensors --threads 1");
  const std::string maps = "/proc/" + std::to_string(child) + "/maps";
  if (!fs::exists("/proc/self/maps")) GTEST_SKIP() << "needs /proc";
  ASSERT_TRUE(eventually([&] { return read_file(maps).find("big.csv") != std::string::npos; }));
  ::kill(child, SIGSTOP);
  fs::resize_file(path("big.csv"), 10);
  ::kill(child, SIGCONT);
  const CommandResult end = wait(child);
  EXPECT_EQ(end.code, 1);
  EXPECT_EQ(lines(end.err), 1u) << end.err;
  EXPECT_NE(end.err.find("became shorter while it was read"), std::string::npos) << end.err;
  EXPECT_FALSE(exists("m.safetensors"));
}

TEST_F(Interruption, ReportsTheFoldsOfAStoppedCrossValidation) {
  const pid_t child = start("cv r.csv --units 120 --auto off --folds 400 --json --threads 1");
  std::this_thread::sleep_for(1500ms);
  ::kill(child, SIGTERM);
  const CommandResult end = wait(child);
  EXPECT_EQ(end.code, 130);
  EXPECT_NE(end.err.find("stopped by SIGTERM after "), std::string::npos) << end.err;
  const auto report = nlohmann::json::parse(end.out);
  EXPECT_TRUE(report["stopped"]);
  EXPECT_EQ(report["planned_fits"], 400);
  EXPECT_GT(report["fits"], 0);
  EXPECT_LT(report["fits"], 400);
  EXPECT_EQ(report["folds"].size(), report["fits"]);
}

TEST_F(Interruption, CountsTheFitsThatTheTimeLimitEnded) {
  const auto report = json("cv r.csv --units 100000 --auto off --folds 2 --time-limit 0.1");
  EXPECT_FALSE(report["stopped"]);
  for (const auto& fold : report["folds"]) EXPECT_TRUE(fold["out_of_time"]);
  EXPECT_NE(ok("cv r.csv --units 100000 --auto off --folds 2 --time-limit 0.1").find("ended 2 of 2 fits"),
            std::string::npos);
}

TEST_F(Interruption, ResumesAfterKill) {
  const std::string train = "train r.csv --units 1200 --checkpoint-every 100 -o ";
  ok(train + "whole.safetensors");
  EXPECT_FALSE(exists("whole.safetensors.checkpoint")) << "removed at the end";
  const pid_t child = start(train + "cut.safetensors");
  ASSERT_TRUE(eventually([&] { return exists("cut.safetensors.checkpoint"); }));
  ::kill(child, SIGKILL);
  EXPECT_EQ(wait(child).code, -SIGKILL);
  ASSERT_FALSE(exists("cut.safetensors"));
  const CommandResult resumed = run(train + "cut.safetensors --resume");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("resuming from "), std::string::npos);
  EXPECT_TRUE(read_file(path("cut.safetensors")) == read_file(path("whole.safetensors")));
  const CommandResult fresh = run(train + "whole.safetensors --resume");
  EXPECT_NE(fresh.err.find("no checkpoint 'whole.safetensors.checkpoint'"), std::string::npos);
  EXPECT_TRUE(read_file(path("cut.safetensors")) == read_file(path("whole.safetensors")));
}

TEST_F(Interruption, RefusesToResumeAnotherTraining) {
  ok("train r.csv --units 8 -o m.safetensors.checkpoint");
  const CommandResult end = run("train r.csv --units 8 --learning-rate 0.2 --resume -o m.safetensors");
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(end.err.find("resuming"), std::string::npos) << end.err;
  EXPECT_FALSE(exists("m.safetensors"));
}

TEST_F(Interruption, GrowsToTheSameModelAsOneTraining) {
  ok("data make friedman1 -n 300 -o f.csv");
  for (const std::string data : {"r.csv", "f.csv"}) {
    ok("train " + data + " --units 200 --auto off -o once.safetensors");
    ok("train " + data + " --units 100 --auto off -o half.safetensors");
    ok("grow half.safetensors " + data + " --units 200 -o grown.safetensors");
    EXPECT_TRUE(read_file(path("once.safetensors")) == read_file(path("grown.safetensors"))) << data;
  }
}

TEST_F(Interruption, GivesTheSameBytesForAnyThreads) {
  std::string model, predictions, scores;
  for (const std::string threads : {"1", "2", "5"}) {
    ok("train r.csv --units 60 -o m.safetensors --threads " + threads);
    const std::string bytes = read_file(path("m.safetensors"));
    const std::string p = ok("predict m.safetensors r.csv --proba --threads " + threads);
    auto cv = json("cv r.csv --folds 4 --units 20 --threads " + threads);
    cv.erase("seconds");
    for (auto& fold : cv["folds"]) fold.erase("seconds");
    if (threads == "1") model = bytes, predictions = p, scores = cv.dump();
    EXPECT_TRUE(bytes == model) << threads;
    EXPECT_TRUE(p == predictions) << threads;
    EXPECT_EQ(cv.dump(), scores) << threads;
  }
}

}  // namespace
}  // namespace accrete::cli_test::interrupted_test
