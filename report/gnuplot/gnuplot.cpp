#include "report/gnuplot/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <system_error>

#include "accrete/core/error.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX requires users to declare it

namespace accrete::report {
namespace {

[[noreturn]] void fail(const std::string& why) {
  throw core::Error(fmt::format("gnuplot failed: {}", why));
}

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// An anonymous temporary file. Unlike with pipes, neither process can block on a full buffer.
class TemporaryFile {
 public:
  TemporaryFile() : file_(std::tmpfile()) {
    if (!file_) fail(std::generic_category().message(errno));
  }

  int fd() const { return ::fileno(file_.get()); }

  void fill(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0)
      fail(std::generic_category().message(errno));
    std::rewind(file_.get());
  }

  std::string content() {
    std::rewind(file_.get());
    std::string text;
    std::array<char, 1 << 16> buffer;
    for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), file_.get())) > 0;)
      text.append(buffer.data(), n);
    return text;
  }

 private:
  std::unique_ptr<std::FILE, FileCloser> file_;
};

/// Runs the program with these standard streams; returns its exit code.
int run(const std::string& program, const TemporaryFile& in, const TemporaryFile& out, const TemporaryFile& err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.fd(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.fd(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.fd(), STDERR_FILENO);
  std::string name = program, defaults = "--default-settings";  // ignores the user's own settings
  const std::array<char*, 3> words{name.data(), defaults.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawn(&child, program.c_str(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail(std::generic_category().message(error));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail(std::generic_category().message(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The first line that is not blank.
std::string first_line(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const auto at = line.find_first_not_of(" ^"); at != std::string::npos) return line.substr(at);
  return "no message";
}

}  // namespace

std::optional<Gnuplot> Gnuplot::find() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const std::string program = folder + "/gnuplot"; !folder.empty() && ::access(program.c_str(), X_OK) == 0)
      return Gnuplot(program);
  return std::nullopt;
}

std::string Gnuplot::draw(const Chart& chart, Format format) const {
  return run_script(gnuplot_script(chart, format));
}

std::string Gnuplot::draw(const FieldRow& row, Format format) const {
  return run_script(gnuplot_script(row, format));
}

std::string Gnuplot::run_script(const std::string& script) const {
  TemporaryFile in, out, err;
  in.fill(script);
  const int code = run(program_, in, out, err);
  std::string picture = out.content();
  if (code != 0 || picture.empty()) fail(first_line(err.content()));
  return picture;
}

}  // namespace accrete::report
