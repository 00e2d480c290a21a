// accrete search: the same output for any number of threads, interrupted or not.

#include <chrono>
#include <thread>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::search_test {
namespace {

using namespace std::chrono_literals;

class SearchCommand : public CommandTest {
 protected:
  SearchCommand() {
    ok("data make ringnorm2 -n 120 -o r.csv");
    write("g.json", R"({"learning_rate": [0.3, 1], "units_per_step": [1, 2, 3], "units": [6, 12, 20]})");
  }

  /// Expects the exit code, a one-line message with these texts, and no output file.
  void expect_refusal(const std::string& arguments, int code, const std::vector<std::string>& expected) const {
    const CommandResult end = run(arguments);
    EXPECT_EQ(end.code, code) << arguments << "\n" << end.err;
    EXPECT_EQ(lines(end.err), 1u) << end.err;
    EXPECT_EQ(end.out, "");
    for (const auto& text : expected)
      EXPECT_NE(end.err.find(text), std::string::npos) << text << " is not in: " << end.err;
    EXPECT_FALSE(exists("out.safetensors"));
  }
};

TEST_F(SearchCommand, WritesTheSameModelAsTrain) {
  const auto found = json("search r.csv --target target --grid g.json --folds 4 --seed 3 -o best.safetensors");
  EXPECT_EQ(found["fits"], 24) << "two learning rates, three step sizes, four folds; units need no extra fits";
  ASSERT_EQ(found["tried"].size(), 18u);
  EXPECT_EQ(found["chosen"], found["tried"][0]);
  EXPECT_EQ(found["parameters"]["units"], found["chosen"]["units"]);
  const auto flag = [&](const std::string& name) { return found["chosen"][name].dump(); };
  ok("train r.csv --target target --auto off --seed 3 --learning-rate " + flag("learning_rate") + " --units-per-step " +
     flag("units_per_step") + " --units " + flag("units") + " -o same.safetensors");
  EXPECT_TRUE(read_file(path("best.safetensors")) == read_file(path("same.safetensors")));
}

TEST_F(SearchCommand, RefusesToOverwriteTheStore) {
  const CommandResult end = run("search r.csv --target target --grid g.json --store s.sqlite -o s.sqlite");
  EXPECT_EQ(end.code, 2);
  EXPECT_EQ(end.err, "accrete: -o s.sqlite: is also --store; name another file\n");
}

TEST_F(SearchCommand, PrintsTheSameForAnyThreads) {
  const std::string arguments = "search r.csv --grid g.json --folds 3 --nested 2 --repeats 2 --quiet --threads ";
  const std::string one = ok(arguments + "1");
  EXPECT_NE(one.find("chosen  learning_rate "), std::string::npos) << one;
  EXPECT_NE(one.find("expect  accuracy "), std::string::npos) << one;
  EXPECT_NE(one.find("near    "), std::string::npos) << one;
  EXPECT_EQ(ok(arguments + "2"), one);
  EXPECT_EQ(ok(arguments + "5"), one);
}

/// Size of the store with its log, which grows with every stored fit.
std::uintmax_t size_of(const fs::path& store) {
  std::uintmax_t size = 0;
  std::error_code none;
  for (const char* part : {"", "-wal"})
    if (const auto bytes = fs::file_size(store.string() + part, none); !none) size += bytes;
  return size;
}

TEST_F(SearchCommand, ResumesAfterKill) {
  write("long.json", R"({"learning_rate": [0.1, 0.3], "activation": ["relu", "tanh"], "units": [100, 400]})");
  const std::string arguments = "search r.csv --grid long.json --folds 5 --nested 3 --store s.sqlite -o ";
  const std::string whole = ok(arguments + "m.safetensors");
  const std::string model = read_file(path("m.safetensors"));
  fs::remove(path("m.safetensors"));
  fs::remove(path("s.sqlite"));
  for (const std::uintmax_t kept : {20'000, 60'000}) {  // twice, at different points
    const pid_t child = start(arguments + "m.safetensors");
    for (int i = 0; i < 3000 && size_of(path("s.sqlite")) < kept; ++i) std::this_thread::sleep_for(5ms);
    ::kill(child, SIGKILL);
    ASSERT_EQ(wait(child).code, -SIGKILL);
    ASSERT_FALSE(exists("m.safetensors"));
  }
  const CommandResult end = run(arguments + "m.safetensors");
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.err.find(" more found in s.sqlite"), std::string::npos) << end.err;
  EXPECT_EQ(end.out, whole);
  EXPECT_TRUE(read_file(path("m.safetensors")) == model);
  EXPECT_NE(run(arguments + "m.safetensors").err.find("accrete: 0 fits in "), std::string::npos)
      << "all fits are in the store";
}

TEST_F(SearchCommand, ExplainsHowToResumeAfterCtrlC) {
  for (const std::string store : {"", " --store s.sqlite"}) {
    const pid_t child = start("search r.csv --units 2000 --threads 2 -o out.safetensors" + store);
    std::this_thread::sleep_for(400ms);
    ::kill(child, SIGINT);
    const CommandResult end = wait(child);
    EXPECT_EQ(end.code, 130);
    EXPECT_EQ(end.out, "");
    EXPECT_EQ(lines(end.err), 1u) << end.err;
    EXPECT_NE(end.err.find("stopped by Ctrl-C after "), std::string::npos) << end.err;
    EXPECT_NE(end.err.find(" of 360 fits"), std::string::npos) << end.err;
    EXPECT_NE(end.err.find(store.empty() ? "use --store FILE" : "rerun with --store s.sqlite"), std::string::npos)
        << end.err;
    EXPECT_FALSE(exists("out.safetensors"));
  }
}

TEST_F(SearchCommand, RemovesGivenParametersFromThePapersGrid) {
  const auto found = json("search r.csv --folds 2 --units 6 --learning-rate 0.5 --subsample 1");
  EXPECT_EQ(found["tried"].size(), 3u) << "one, two or three units per step";
  EXPECT_EQ(found["fits"], 6);
  EXPECT_EQ(found["tried"][0].count("learning_rate"), 0u);
  EXPECT_FALSE(found.contains("model"));
}

TEST_F(SearchCommand, RefusesBadGrids) {
  const std::string arguments = "search r.csv --grid bad.json -o out.safetensors ";
  expect_refusal(arguments, 1, {"bad.json", "No such file"});
  write("bad.json", "{\"learning_rate\": [0.1,}");
  expect_refusal(arguments, 1, {"bad.json", "line 1, column 24", "not valid JSON"});
  write("bad.json", "{\"speed\": [1]}");
  expect_refusal(arguments, 1, {"bad.json", "'speed'", "unknown parameter", "learning_rate"});
  write("bad.json", "{\"alpha\": []}");
  expect_refusal(arguments, 1, {"bad.json", "'alpha'", "at least one value"});
  write("bad.json", "{\"learning_rate\": [0.1, 7]}");
  expect_refusal(arguments, 1, {"bad.json", "'learning_rate', value 2", "at most 1"});
  expect_refusal("search r.csv --grid g.json --learning-rate 0.1 -o out.safetensors", 2,
                 {"--learning-rate 0.1", "g.json", "give it once"});
  expect_refusal("search r.csv --grid g.json --units 20 -o out.safetensors", 2, {"--units 20", "g.json"});
}

TEST_F(SearchCommand, RefusesBadArguments) {
  const std::string arguments = "search r.csv -o out.safetensors --units 6 ";
  expect_refusal(arguments + "--metric rmse", 2, {"--metric rmse", "binary"});
  expect_refusal(arguments + "--metric speed", 2, {"speed", "accuracy"});
  expect_refusal(arguments + "--folds 1", 2, {"--folds"});
  expect_refusal(arguments + "--nested 1", 2, {"--nested"});
  expect_refusal(arguments + "--folds 100", 1, {"r.csv", "fewer than the 100 folds"});
  expect_refusal(arguments + "--time-limit 3", 2, {"--time-limit 3", "search"});
  expect_refusal(arguments + "--auto on", 2, {"--auto on", "search"});
  expect_refusal(arguments + "--preset good", 2, {"good", "default, fast, best, paper"});
  expect_refusal(arguments + "--target z", 2, {"r.csv", "'z'"});
  expect_refusal("search r.csv --units 2 -o out.safetensors", 2, {"--units-per-step 3", "--units 2"});
  expect_refusal("search r.csv -o none/out.safetensors", 1, {"none/out.safetensors"});
  expect_refusal("search r.csv -o r.csv", 2, {"r.csv", "overwrite"});
  expect_refusal("search r.csv -o -", 2, {"standard output"});
}

TEST_F(SearchCommand, RefusesBadStores) {
  const std::string arguments = "search r.csv -o out.safetensors --units 6 --store ";
  expect_refusal(arguments + "none/s.sqlite", 1, {"none/s.sqlite", "No such file"});
  expect_refusal(arguments + "g.json", 1, {"g.json", "not an accrete store"});
  expect_refusal(arguments + "r.csv", 2, {"r.csv", "is an input"});
  expect_refusal(arguments + ".", 1, {"'.'"});
}

}  // namespace
}  // namespace accrete::cli_test::search_test
