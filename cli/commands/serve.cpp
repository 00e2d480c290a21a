// accrete serve: answers inference requests over HTTP until it is stopped.

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>

#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/escape.hpp"
#include "accrete/io/text_file.hpp"
#include "accrete/model/plain.hpp"
#include "accrete/serve/access_log.hpp"
#include "accrete/serve/batcher.hpp"
#include "accrete/serve/http_server.hpp"
#include "accrete/serve/repository.hpp"
#include "accrete/serve/service.hpp"
#include "accrete/serve/short_slices.hpp"
#include "cli/commands.hpp"
#include "cli/support/options.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {
namespace {

using std::chrono::milliseconds;

struct ServeFlags {
  std::vector<std::string> models;
  std::string host = "127.0.0.1", token_file;
  std::optional<std::string> log;
  int port = 8080;
  std::size_t max_body_mib = 16, max_rows = 10'000, max_connections = 512;
  std::string latency, header_time = "10s", idle_time = "60s", drain_time = "10s";
  std::optional<std::size_t> min_units;
};

/// "2ms", "1.5s", "10 s"; unset unless it is a time above 0 and at most a day.
std::optional<double> parse_seconds(const std::string& text) {
  constexpr double day = 86'400.0;
  const auto unit = text.find_last_of("0123456789.") + 1;
  const auto number = data::parse_number(text.substr(0, unit));
  const auto word = text.find_first_not_of(' ', unit);
  const std::string name = word == std::string::npos ? "" : text.substr(word);
  const double factor = name == "us" ? 1e-6 : name == "ms" ? 1e-3 : name == "s" ? 1.0 : name == "min" ? 60.0 : 0.0;
  if (!number || !(*number * factor > 0.0) || *number * factor > day) return std::nullopt;
  return *number * factor;
}

std::string check_time(const std::string& text) {
  return parse_seconds(text) ? "" : "'" + text + "' is not a time such as 2ms, 10s or 1min";
}

milliseconds time_of(const std::string& text) {
  return milliseconds(std::max(1LL, std::llround(1000.0 * parse_seconds(text).value_or(0.0))));
}

std::string read_token(const std::string& path) {
  if (path.empty()) return {};
  std::string token = io::read_text_file(path);
  while (!token.empty() && std::strchr(" \t\r\n", token.back())) token.pop_back();
  if (token.empty() || std::ranges::any_of(token, [](unsigned char c) { return c <= ' ' || c >= 127; }))
    throw core::FileError(fmt::format("{}: must contain one token of visible ASCII characters", path));
  return token;
}

/// Destination of the access log: a file to append to, standard error ("-"), or none ("none"). Without a path, logs to
/// standard error; with `quiet`, only refused model files, because these are errors.
class LogFile {
 public:
  LogFile(const std::optional<std::string>& given, bool quiet) : only_errors_(quiet && !given) {
    const std::string path = given.value_or("-");
    if (path == "-") file_ = STDERR_FILENO;
    if (path == "-" || path == "none") return;
    file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file_ < 0) throw core::FileError(fmt::format("{}: {}", path, std::strerror(errno)));
  }
  ~LogFile() {
    if (file_ > STDERR_FILENO) ::close(file_);
  }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  bool is_open() const { return file_ >= 0; }
  bool only_errors() const { return only_errors_; }
  /// Ignores errors, because a full disk must not stop the server.
  void write(const std::string& line) const {
    if (is_open()) [[maybe_unused]]
      const auto written = ::write(file_, line.data(), line.size());
  }

 private:
  int file_ = -1;
  bool only_errors_;
};

/// Throws if flags use the dial of a model that has none.
void check_dials(const serve::Repository& repository, const ServeFlags& flags) {
  if (flags.latency.empty() && flags.min_units)
    throw core::UsageError("--min-units needs --latency, which chooses the units");
  if (flags.latency.empty()) return;
  for (const auto& served : repository.list()) {
    if (!served->has_dial)
      throw core::UsageError(
          fmt::format("--latency {}: {} is a plain network without a dial", flags.latency, served->path));
    if (flags.min_units) served->model.steps_for(*flags.min_units);
  }
}

/// Blocks the signals that stop the server, in this thread and all that it starts; the main thread waits for them.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

void announce(const serve::Repository& repository, const std::string& url, const Common& common) {
  if (common.json) {
    Json models = Json::array();
    for (const auto& served : repository.list())
      models.push_back({{"name", served->name},
                        {"version", served->version},
                        {"units", served->model.units_after(served->model.network.steps())}});
    print_json({{"url", url}, {"models", models}});
  } else if (!common.quiet) {
    for (const auto& served : repository.list())
      print(fmt::format("{}: version {}, {}\n", core::escape_controls(served->name), served->version,
                        core::counted(served->model.units_after(served->model.network.steps()), "unit")));
    print(fmt::format("serving at {} (Ctrl-C stops)\n", url));
  }
  finish_output();
}

/// Checks for changed files until a signal arrives. SIGHUP only triggers a check.
void watch(serve::Repository& repository, serve::Metrics& metrics, const LogFile& log, const sigset_t& signals) {
  constexpr int polls_per_look = 5;
  for (int poll = 1;; ++poll) {
    std::this_thread::sleep_for(milliseconds(100));
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    if (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1) return;
    int signal = 0;
    if (sigismember(&pending, SIGHUP) == 1)
      sigwait(&signals, &signal);
    else if (poll % polls_per_look != 0)
      continue;
    for (const auto& event : repository.refresh()) {
      const bool refused = event.kind == serve::RepositoryEvent::Kind::refused;
      metrics.add_reload(!refused);
      if (refused || !log.only_errors()) log.write(serve::log_line(event));
    }
  }
}

void run_server(const ServeFlags& flags, const Common& common) {
  const std::string token = read_token(flags.token_file);
  const LogFile log(flags.log, common.quiet);
  serve::Repository repository(flags.models);
  check_dials(repository, flags);
  const sigset_t signals = block_signals();
  if (!flags.latency.empty()) serve::use_short_slices();
  serve::Metrics metrics;
  serve::Batcher batcher({.slots = common.threads ? common.threads : core::hardware_threads(),
                          .latency = flags.latency.empty() ? 0.0 : parse_seconds(flags.latency).value_or(0.0),
                          .min_units = flags.min_units.value_or(1)});
  serve::Service service(repository, batcher, metrics, {.token = token, .max_rows = flags.max_rows});
  serve::HttpServer::Log access_log;
  if (log.is_open() && !log.only_errors())
    access_log = [&log](const serve::AccessRecord& record) { log.write(serve::log_line(record)); };
  serve::HttpServer server(service, metrics,
                           {.host = flags.host,
                            .port = flags.port,
                            .max_body = flags.max_body_mib << 20,
                            .max_connections = flags.max_connections,
                            .header_time = time_of(flags.header_time),
                            .idle_time = time_of(flags.idle_time),
                            .drain_time = time_of(flags.drain_time)},
                           access_log);
  server.start();
  const std::string host = flags.host.find(':') == std::string::npos ? flags.host : "[" + flags.host + "]";
  announce(repository, fmt::format("http://{}:{}", host, server.port()), common);
  watch(repository, metrics, log, signals);
  service.drain();
  server.stop();
}

void add_limit_flags(CLI::App& app, ServeFlags& flags) {
  const auto time = [&](const char* name, std::string& value, const char* about) {
    app.add_option(name, value, about)->type_name("TIME")->check(check_time);
  };
  app.add_option("--max-rows", flags.max_rows, "rows of a request (default: 10000)")
      ->type_name("N")
      ->check(whole_number(1, 10'000'000));
  app.add_option("--max-body", flags.max_body_mib, "MiB of a request (default: 16)")
      ->type_name("N")
      ->check(whole_number(1, 4096));
  app.add_option("--max-connections", flags.max_connections,
                 "open connections; one more closes the one that waited longest for a request (default: 512)")
      ->type_name("N")
      ->check(whole_number(1, 10'000));
  time("--header-time", flags.header_time, "time for a request's header to arrive (default: 10s)");
  time("--idle-time", flags.idle_time, "time that a connection may wait between requests (default: 60s)");
  time("--drain-time", flags.drain_time, "time for running requests after SIGTERM or Ctrl-C (default: 10s)");
}

}  // namespace

Run add_serve(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<ServeFlags>();
  app.add_option("models", flags->models,
                 "model files, NAME=FILE to name one, or folders of NAME.safetensors and NAME/VERSION.safetensors; "
                 "files that change are loaded again")
      ->required()
      ->type_name("MODEL");
  app.add_option("--port", flags->port, "port; 0: any that is free (default: 8080)")
      ->type_name("N")
      ->check(whole_number(0, 65'535));
  app.add_option("--host", flags->host, "address to listen on; 0.0.0.0: all (default: 127.0.0.1, this computer only)")
      ->type_name("ADDRESS")
      ->check(not_empty);
  app.add_option("--token-file", flags->token_file, "file with a token that requests must bear (Authorization: Bearer)")
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("--latency", flags->latency,
                 "budget of a request: fewer units are used while the queue is long, all when it is empty")
      ->type_name("TIME")
      ->check(check_time);
  app.add_option("--min-units", flags->min_units, "units that --latency uses at least (default: the first step)")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000));
  app.add_option(
         "--log", flags->log,
         "access log, JSON lines: a file, - (standard error) or none (default: -; with -q: refused models only)")
      ->type_name("FILE")
      ->check(not_empty);
  add_limit_flags(app, *flags);
  return [flags, &common] { run_server(*flags, common); };
}

}  // namespace accrete::cli
