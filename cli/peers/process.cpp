#include "cli/peers/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "accrete/core/error.hpp"
#include "cli/peers/script.hpp"

extern char** environ;

namespace accrete::cli {
namespace {

constexpr auto poll_delay = std::chrono::milliseconds(20);

/// Starts the process; returns 0 on failure. Does nothing between fork and exec, because other threads may be running.
pid_t start(std::vector<std::string> words, const std::filesystem::path& log) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  return error == 0 ? child : 0;
}

}  // namespace

std::string python_command() {
  const char* given = std::getenv("ACCRETE_PYTHON");
  return given && *given ? given : "python3";
}

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "accrete-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw core::FileError("cannot create a temporary folder '" + name + "'");
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

ProcessEnd run_python(const std::vector<std::string>& arguments, const std::filesystem::path& log,
                      const std::function<bool()>& stop) {
  std::vector<std::string> words{python_command(), "-c", std::string(peer_script)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const pid_t child = start(std::move(words), log);
  if (child == 0) return ProcessEnd::failure;
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (stop && stop()) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      return ProcessEnd::stopped;
    }
    std::this_thread::sleep_for(poll_delay);
  }
  // Ctrl-C reaches the child as well.
  if (stop && stop()) return ProcessEnd::stopped;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? ProcessEnd::success : ProcessEnd::failure;
}

}  // namespace accrete::cli
