// accrete experiment: lists, runs, resumes after kills, and refuses bad input.

#include <fmt/format.h>
#include <sqlite3.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "accrete/io/text_file.hpp"
#include "tests/cli/run_command.hpp"
#include "tests/experiment/invented.hpp"

namespace accrete::cli_test::experiment_test {
namespace {

using namespace std::chrono_literals;

class ExperimentCommand : public CommandTest {
 protected:
  void invent(const std::vector<std::string>& tasks) const { experiment::write_invented(path("data"), tasks); }

  std::vector<std::string> results(const std::string& store) const {
    return experiment::results_in(path(store).string());
  }

  /// Asked while another process may be making the store: as long as it cannot be read there are none.
  std::size_t fits(const std::string& store) const {
    std::size_t count = 0;
    sqlite3* file = nullptr;
    if (sqlite3_open_v2(path(store).c_str(), &file, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK) {
      const auto read = [](void* to, int, char** values, char**) {
        *static_cast<std::size_t*>(to) = std::stoull(values[0]);
        return 0;
      };
      sqlite3_exec(file, "SELECT count(*) FROM fit", read, &count, nullptr);
    }
    sqlite3_close(file);
    return count;
  }

  void expect_refusal(const std::string& arguments, int code, const std::vector<std::string>& expected) const {
    const CommandResult end = run(arguments);
    EXPECT_EQ(end.code, code) << arguments << "\n" << end.err;
    EXPECT_EQ(lines(end.err), 1u) << arguments << "\n" << end.err;
    EXPECT_TRUE(end.err.starts_with("accrete: ")) << end.err;
    EXPECT_EQ(end.out, "");
    for (const auto& text : expected)
      EXPECT_NE(end.err.find(text), std::string::npos) << text << " is not in: " << end.err;
  }

  void sql(const std::string& store, const std::string& statements) const {
    sqlite3* file = nullptr;
    ASSERT_EQ(sqlite3_open(path(store).c_str(), &file), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(file, statements.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(file);
    sqlite3_close(file);
  }

  const std::string table_ = "experiment run table --data data --tasks iris,tic-tac-toe --methods adam,lbfgs --store ";
};

class SlowExperimentCommand : public ExperimentCommand {};

/// The promise that everything rests on: killed at any moment, as often as one likes, it ends with the same bytes.
TEST_F(SlowExperimentCommand, GivesTheSameResultsAfterRepeatedKills) {
  invent({"iris", "tic-tac-toe"});
  ok(table_ + "whole.sqlite --threads 2");
  const auto whole = results("whole.sqlite");
  ASSERT_EQ(whole.size(), 4u);
  const std::size_t all = fits("whole.sqlite");
  ASSERT_EQ(all, 4u * 10 * (3 * 3 + 1));
  std::size_t last = 0;
  for (const std::size_t more : {1, 60, 90, 130}) {  // in the first cell, among inner fits, about the end of one
    const pid_t child = start(table_ + "broken.sqlite --threads 2");
    for (int i = 0; i < 30'000 && fits("broken.sqlite") < last + more; ++i) std::this_thread::sleep_for(1ms);
    ::kill(child, SIGKILL);
    ASSERT_EQ(wait(child).code, -SIGKILL) << "the run ended before the test could kill it";
    last = fits("broken.sqlite");
    ASSERT_GT(last, 0u);
    ASSERT_LT(last, all);
    ASSERT_LT(results("broken.sqlite").size(), 4u);
  }
  const auto end = json(table_ + "broken.sqlite --threads 1 --quiet");
  EXPECT_EQ(end["fits"], all);
  EXPECT_EQ(end["found"], last);
  EXPECT_EQ(results("broken.sqlite"), whole);
  EXPECT_EQ(experiment::fits_in(path("broken.sqlite").string()), experiment::fits_in(path("whole.sqlite").string()));
  for (const char* store : {"whole", "broken"})
    ok(fmt::format("experiment report --store {0}.sqlite -o {0}-report", store));
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path("whole-report"))) {
    if (!entry.is_regular_file()) continue;
    const auto name = std::filesystem::relative(entry.path(), path("whole-report"));
    EXPECT_EQ(io::read_text_file((path("broken-report") / name).string()), io::read_text_file(entry.path().string()))
        << name;
    ++files;
  }
  EXPECT_GE(files, 8u);  // the page, its twin, two tables, and each diagram twice
}

TEST_F(SlowExperimentCommand, LetsTwoProcessesShareAStore) {
  invent({"iris", "tic-tac-toe"});
  ok(table_ + "whole.sqlite");
  const pid_t one = start(table_ + "shared.sqlite --threads 1");
  const pid_t two = start(table_ + "shared.sqlite --threads 1");
  for (const pid_t child : {one, two}) {
    const CommandResult end = wait(child);
    EXPECT_EQ(end.code, 0) << end.err;
  }
  EXPECT_EQ(results("shared.sqlite"), results("whole.sqlite"));
  EXPECT_EQ(fits("shared.sqlite"), fits("whole.sqlite"));
}

TEST_F(ExperimentCommand, IgnoresDuplicateNames) {
  invent({"iris"});
  const auto end =
      json("experiment run table --data data --tasks iris,iris --methods lbfgs,lbfgs --store s.sqlite --quiet");
  EXPECT_EQ(end["tasks"], 1);
  EXPECT_EQ(end["methods"], 1);
}

TEST_F(ExperimentCommand, DoesNotReadPositionalsAsListItems) {
  invent({"iris"});
  for (const char* arguments : {"--tasks iris table --methods lbfgs", "--methods lbfgs table --tasks iris"})
    EXPECT_EQ(json(fmt::format("experiment run --data data {} --store s.sqlite --quiet", arguments))["tasks"], 1)
        << arguments;
}

TEST_F(ExperimentCommand, RefusesBadSeeds) {
  for (const char* seed : {"-1", "1.5", "9007199254740992", "99999999999999999999999"})
    expect_refusal(fmt::format("experiment run boundary --store s.sqlite --seed {}", seed), 2, {"--seed"});
}

TEST_F(ExperimentCommand, ExplainsHowToResumeAfterCtrlC) {
  invent({"iris", "tic-tac-toe"});
  const pid_t child = start(table_ + "s.sqlite");
  for (int i = 0; i < 10'000 && fits("s.sqlite") < 5; ++i) std::this_thread::sleep_for(1ms);
  ::kill(child, SIGINT);
  const CommandResult end = wait(child);
  EXPECT_EQ(end.code, 130);
  EXPECT_EQ(end.out, "");
  EXPECT_NE(end.err.find("stopped by Ctrl-C after "), std::string::npos) << end.err;
  EXPECT_NE(end.err.find(" of 400 fits; rerun the command to resume"), std::string::npos) << end.err;
}

TEST_F(ExperimentCommand, SummarisesEachExperiment) {
  invent({"spambase", "iris"});
  const CommandResult curves =
      run("experiment run curves --data data --tasks spambase --methods gbnn,deep --store s.sqlite");
  EXPECT_EQ(curves.code, 0) << curves.err;
  EXPECT_NE(curves.out.find("1 tasks x 2 methods"), std::string::npos) << curves.out;
  EXPECT_NE(curves.out.find("20, of which 0 were found"), std::string::npos) << curves.out;
  EXPECT_EQ(lines(curves.err), 2u) << curves.err;
  EXPECT_NE(curves.err.find("accrete: spambase gbnn: "), std::string::npos) << curves.err;
  const auto times = json("experiment run times --data data --tasks iris --methods lbfgs --store s.sqlite --quiet");
  EXPECT_EQ(times["experiment"], "times");
  EXPECT_EQ(times["fits"], 10);
  const auto boundary = json("experiment run boundary --store s.sqlite --quiet");
  EXPECT_EQ(boundary["fits"], 6);
  EXPECT_EQ(boundary["tasks"], 0);
  EXPECT_EQ(results("s.sqlite").size(), 5u);
  EXPECT_NE(ok("experiment run --help").find("sequentially on one thread"), std::string::npos);
}

TEST_F(ExperimentCommand, ListsExperimentsTasksAndMethods) {
  const auto list = json("experiment list");
  std::vector<std::string> names;
  for (const auto& experiment : list["experiments"]) names.push_back(experiment["name"]);
  EXPECT_EQ(names, (std::vector<std::string>{"table", "curves", "times", "boundary"}));
  EXPECT_EQ(list["tasks"].size(), 26u);
  EXPECT_EQ(list["methods"].size(), 6u);
  EXPECT_EQ(list["profiles"].size(), 2u);
  const std::string text = ok("experiment list");
  for (const char* part : {"boundary", "Indian Liver Patient", "NN-L-BFGS", "waveform-300"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST_F(ExperimentCommand, RefusesBadArguments) {
  invent({"iris"});
  const std::string arguments = "experiment run table --data data --store s.sqlite ";
  expect_refusal(arguments + "--tasks iris,songs", 2, {"'songs'", "australian", "iris"});
  expect_refusal(arguments + "--methods forest", 2, {"'forest'", "gbnn", "adaboost"});
  expect_refusal(arguments + "--profile slow", 2, {"slow", "quick", "paper"});
  expect_refusal("experiment run speed --data data --store s.sqlite", 2, {"'speed'", "table, curves, times, boundary"});
  expect_refusal("experiment run curves --data data --tasks iris --store s.sqlite", 2,
                 {"curves", "'iris'", "spambase"});
  for (const char* name : {"table", "curves", "times"})
    expect_refusal(std::string("experiment run ") + name + " --store s.sqlite", 2, {"--data"});
  expect_refusal("experiment run table --data data", 2, {"--store"});
  expect_refusal("experiment", 2, {"subcommand"});
  EXPECT_FALSE(exists("s.sqlite")) << "no store is created";
}

TEST_F(ExperimentCommand, RefusesBadData) {
  invent({"iris", "boston"});
  const std::string arguments = "experiment run table --data data --store s.sqlite --methods deep --tasks ";
  expect_refusal(arguments + "iris,wine", 1, {"data", "wine.csv", "wine.csv.gz"});
  expect_refusal("experiment run curves --data nowhere --store s.sqlite", 1, {"nowhere", "spambase.csv"});
  fs::create_directory(path("data/vowel.csv"));
  expect_refusal(arguments + "vowel", 1, {"vowel.csv"});
  write("data/wine.csv", "a,b,class\n1,2,x\n2,3,y\n3,4,z\n");
  expect_refusal(arguments + "wine", 1, {"data/wine.csv", "'target'", "a, b, class"});
  std::string rare = "a,target\n";
  for (int i = 0; i < 60; ++i) rare += std::to_string(i) + (i < 4 ? ",rare\n" : i < 30 ? ",common\n" : ",usual\n");
  write("data/wine.csv", rare);
  expect_refusal(arguments + "wine", 1, {"data/wine.csv", "'rare'", "4 rows", "10 folds"});
  write("data/wine.csv", "a,target\n1,2\n3\n");
  expect_refusal(arguments + "wine", 1, {"data/wine.csv", "line 3"});
  write("data/waveform.csv", read_file(path("data/iris.csv")));
  expect_refusal(arguments + "waveform-300", 1, {"data/waveform.csv", "60 rows", "300"});
  write("data/boston.csv", "a,target\n1,high\n2,low\n");
  expect_refusal(arguments + "boston", 1, {"data/boston.csv", "target"});
}

TEST_F(ExperimentCommand, RefusesBadStores) {
  invent({"iris"});
  const std::string arguments = "experiment run table --data data --tasks iris --methods deep --store ";
  expect_refusal(arguments + "none/s.sqlite", 1, {"none/s.sqlite", "No such file"});
  write("text.sqlite", "a,b\n1,2\n" + std::string(5000, ' '));
  expect_refusal(arguments + "text.sqlite", 1, {"text.sqlite", "not an accrete store"});
  sql("songs.sqlite", "CREATE TABLE songs (name TEXT)");
  expect_refusal(arguments + "songs.sqlite", 1, {"songs.sqlite", "another program's"});
  expect_refusal(arguments + "data", 1, {"'data'"});
  ok(arguments + "s.sqlite --quiet");
  sql("s.sqlite", "PRAGMA user_version = 41");
  expect_refusal(arguments + "s.sqlite", 1, {"s.sqlite", "version 41"});
}

/// The command waits for 30 seconds before it gives up.
TEST_F(SlowExperimentCommand, WaitsForALockedStore) {
  invent({"iris"});
  const std::string arguments =
      "experiment run table --data data --tasks iris --methods deep --store s.sqlite --threads 1";
  ok(arguments);
  sql("s.sqlite", "DELETE FROM fit; DELETE FROM result");
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path("s.sqlite").c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  std::atomic<bool> unlocked = false;
  std::thread unlocking([&] {
    std::this_thread::sleep_for(2s);
    unlocked = true;
    sqlite3_exec(other, "COMMIT", nullptr, nullptr, nullptr);
  });
  ok(arguments);
  EXPECT_TRUE(unlocked);
  unlocking.join();
  sqlite3_close(other);
}

}  // namespace
}  // namespace accrete::cli_test::experiment_test
