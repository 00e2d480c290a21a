#pragma once
// Runs the accrete command in a temporary folder.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/core/temporary_folder.hpp"

namespace accrete::cli_test {

namespace fs = std::filesystem;

inline std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct CommandResult {
  int code = -1;  ///< exit code, or minus the signal
  std::string out, err;
};

/// A temporary folder for one test; every command runs in it.
class CommandTest : public testing::Test {
 protected:
  fs::path path(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  bool exists(const std::string& name) const { return fs::exists(path(name)); }

  /// Starts `accrete ARGUMENTS`, split at blanks.
  pid_t start(const std::string& arguments) const {
    std::vector<std::string> list;
    std::istringstream in(arguments);
    for (std::string text; in >> text;) list.push_back(text);
    return start(std::move(list));
  }

  /// The same, for arguments with blanks.
  pid_t start(std::vector<std::string> list) const {
    list.insert(list.begin(), ACCRETE_COMMAND);
    std::vector<char*> argv;
    for (auto& text : list) argv.push_back(text.data());
    argv.push_back(nullptr);
    const std::string out = path(".out").string(), err = path(".err").string(), folder = folder_.string();
    const pid_t child = ::fork();
    if (child == 0) {
      ::signal(SIGHUP, SIG_DFL);  // the tests may themselves run under nohup
      const int out_fd = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      const int err_fd = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      if (::chdir(folder.c_str()) != 0 || ::dup2(out_fd, 1) < 0 || ::dup2(err_fd, 2) < 0) ::_exit(99);
      ::execv(argv[0], argv.data());
      ::_exit(99);
    }
    return child;
  }

  CommandResult wait(pid_t child) const {
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), read_file(path(".out")),
            read_file(path(".err"))};
  }

  CommandResult run(const std::string& arguments) const { return wait(start(arguments)); }

  /// Expects success; returns standard output.
  std::string ok(const std::string& arguments) const {
    const CommandResult end = run(arguments);
    EXPECT_EQ(end.code, 0) << arguments << "\n" << end.err;
    return end.out;
  }

  /// Expects misuse, exit code 2; returns standard error.
  std::string misuse(const std::string& arguments) const {
    const CommandResult end = run(arguments);
    EXPECT_EQ(end.code, 2) << arguments << "\n" << end.err;
    return end.err;
  }

  nlohmann::json json(const std::string& arguments) const {
    return nlohmann::json::parse(ok(arguments + " --json"), nullptr, false);
  }

  core::TemporaryFolder temporary_;
  fs::path folder_ = temporary_.folder();
};

inline std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace accrete::cli_test
