// accrete serve: what it refuses, and how it starts and stops. tests/serve has the rest.

#include <csignal>
#include <thread>

#include "tests/cli/run_command.hpp"

namespace accrete::cli_test::serve_test {
namespace {

class ServeCommand : public CommandTest {
 protected:
  ServeCommand() {
    ok("data make friedman1 -n 60 -o n.csv --quiet");
    ok("train n.csv --units 4 --units-per-step 2 --max-iter 4 --auto off -o n.safetensors --quiet");
  }
};

TEST_F(ServeCommand, RefusesInOneLine) {
  ok("train n.csv --method network --hidden 3 -o plain.safetensors --quiet");
  const std::vector<std::pair<std::string, std::string>> cases{
      {"absent.safetensors", "no such file"},
      {"n.csv", "n.csv"},
      {"n.safetensors n=n.safetensors", "both version 1 of model 'n'"},
      {"plain.safetensors --latency 2ms", "plain network without a dial"},
      {"n.safetensors --latency 2", "not a time such as"},
      {"n.safetensors --min-units 2", "--min-units needs --latency"},
      {"n.safetensors --latency 2ms --min-units 9", "the model has 4"},
      {"n.safetensors --host 203.0.113.7", "cannot listen on 203.0.113.7"},
      {"n.safetensors --token-file n.csv", "must contain one token"}};
  for (const auto& [arguments, words] : cases) {
    const CommandResult end = run("serve --port 0 " + arguments);
    EXPECT_TRUE(end.code == 1 || end.code == 2) << arguments;
    EXPECT_NE(end.err.find(words), std::string::npos) << end.err;
    EXPECT_EQ(lines(end.err), 1u) << end.err;
  }
}

TEST_F(ServeCommand, StopsWithSuccessOnSigterm) {
  const pid_t child = start("serve n.safetensors --port 0");
  for (int i = 0; i < 2000 && read_file(path(".out")).find("serving at http://127.0.0.1:") == std::string::npos; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ::kill(child, SIGTERM);
  const CommandResult end = wait(child);
  EXPECT_EQ(end.code, 0) << end.err;
  EXPECT_NE(end.out.find("n: version 1, 4 units"), std::string::npos) << end.out;
}

}  // namespace
}  // namespace accrete::cli_test::serve_test
