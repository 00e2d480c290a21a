#include "report/gnuplot.hpp"

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

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to its users

namespace accrete::report {
namespace {

[[noreturn]] void fail(const std::string& why) {
  throw core::Error(fmt::format("gnuplot cannot draw a figure: {}", why));
}

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// A file without a name, gone when closed. Files cannot fill up as pipes do, so neither side ever waits for the other.
class Scratch {
 public:
  Scratch() : file_(std::tmpfile()) {
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
    std::array<char, 1 << 16> piece;
    for (std::size_t n; (n = std::fread(piece.data(), 1, piece.size(), file_.get())) > 0;) text.append(piece.data(), n);
    return text;
  }

 private:
  std::unique_ptr<std::FILE, Close> file_;
};

/// The exit code of the program, started with these files as its standard ones.
int run(const std::string& program, const Scratch& in, const Scratch& out, const Scratch& err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.fd(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.fd(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.fd(), STDERR_FILENO);
  std::string name = program, defaults = "--default-settings";  // whatever the user's own gnuplot looks like
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

/// The first line that says something.
std::string first_words(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const auto at = line.find_first_not_of(" ^"); at != std::string::npos) return line.substr(at);
  return "it said nothing";
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
  Scratch in, out, err;
  in.fill(gnuplot_script(chart, format));
  const int code = run(program_, in, out, err);
  std::string picture = out.content();
  if (code != 0 || picture.empty()) fail(first_words(err.content()));
  return picture;
}

}  // namespace accrete::report
