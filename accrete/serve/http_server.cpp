// The only file that includes cpp-httplib, which accepts connections, parses request lines and headers, and writes
// replies; connections, bodies and limits are handled here. Tested with cpp-httplib 0.11; compiles with 0.18.

#include "accrete/serve/http_server.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <httplib.h>

#include "accrete/core/error.hpp"
#include "accrete/serve/body_length.hpp"
#include "accrete/serve/connection_threads.hpp"
#include "accrete/serve/connections.hpp"
#include "accrete/serve/http_stream.hpp"

namespace accrete::serve {
namespace {

constexpr std::chrono::milliseconds last_read_time{1'000};
constexpr std::chrono::microseconds spin_time{50};
constexpr int backlog = 1024;

thread_local HttpStream* current = nullptr;  ///< the connection of this thread
thread_local bool refuse_connection = false;

/// Allows more connections than the usual limit of 1,024 open files.
void raise_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

BodyHeaders body_headers(const httplib::Request& request) {
  return {.lengths = request.get_header_value_count("Content-Length"),
          .length = request.get_header_value("Content-Length"),
          .transfer_encoding = request.get_header_value("Transfer-Encoding"),
          .content_encoding = request.get_header_value("Content-Encoding")};
}

}  // namespace

class HttpServer::Server final : public httplib::Server {
 public:
  Server(Service& service, Metrics& metrics, const HttpOptions& options, Log log)
      : service_(service), metrics_(metrics), options_(options), log_(std::move(log)) {
    raise_file_limit();
    set_keep_alive_max_count(1'000'000'000);
    set_keep_alive_timeout(std::chrono::duration_cast<std::chrono::seconds>(options_.idle_time).count());
    set_socket_options([](socket_t socket) {
      const int on = 1;
      // Without SO_REUSEPORT, so that a port in use is refused.
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    });
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
      return HandlerResponse::Handled;
    });
    set_error_handler([this](const httplib::Request& request, httplib::Response& response) {
      if (!current->replied) answer_broken(request, response);
    });
    set_expect_100_continue_handler([this](const httplib::Request& request, httplib::Response& response) {
      if (std::holds_alternative<std::size_t>(body_length(body_headers(request), options_.max_body))) return 100;
      answer(request, response);
      return response.status;
    });
    new_task_queue = [this] { return new Queue(*this); };
    bind();
  }

  int port() const { return port_; }

  void start() {
    thread_ = std::thread([this] { listen_after_bind(); });
    while (!is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // stop() requires it
  }

  void drain() {
    if (!thread_.joinable()) return;
    draining_ = true;
    httplib::Server::stop();
    connections_.stop_reading();
    if (!connections_.wait_until_none(options_.drain_time)) connections_.end_all();
    thread_.join();
  }

  bool is_listening() const { return thread_.joinable() && !draining_; }
  std::size_t open_connections() const { return connections_.count(); }

 private:
  /// Runs cpp-httplib's connection tasks on the connection threads.
  class Queue final : public httplib::TaskQueue {
   public:
    explicit Queue(Server& server)
        : server_(server), threads_(server.options_.max_connections, [this](std::size_t waiting) {
            server_.connections_.set_waiting(waiting);
          }) {}

    void add(const std::function<void()>& task) {
      if (threads_.run(task)) return;
      refuse_connection = true;
      task();
      refuse_connection = false;
      ++server_.metrics_.refused_connections;
    }
    // Its return type changed from void to bool between versions.
    decltype(std::declval<httplib::TaskQueue&>().enqueue({})) enqueue(std::function<void()> task) override {
      using Result = decltype(std::declval<httplib::TaskQueue&>().enqueue({}));
      add(task);
      return Result(true);
    }
    void shutdown() override { threads_.join(); }

   private:
    Server& server_;
    ConnectionThreads threads_;
  };

  void bind();
  bool process_and_close_socket(socket_t socket) override;
  bool process_next(HttpStream& stream, bool& closed);
  void answer(const httplib::Request& request, httplib::Response& response);
  void answer_broken(const httplib::Request& request, httplib::Response& response);
  void reply_with(HttpReply reply, const httplib::Request& request, std::size_t request_bytes,
                  httplib::Response& response);
  HttpReply make_reply(const httplib::Request& request, std::size_t& request_bytes);

  Service& service_;
  Metrics& metrics_;
  const HttpOptions options_;
  const Log log_;
  Connections connections_{[this] { ++metrics_.refused_connections; }};
  std::thread thread_;
  std::atomic<bool> draining_{false};
  int port_ = 0;
};

void HttpServer::Server::bind() {
  errno = 0;
  if (options_.port == 0)
    port_ = bind_to_any_port(options_.host);
  else
    port_ = bind_to_port(options_.host, options_.port) ? options_.port : -1;
  if (port_ <= 0)
    throw core::Error(fmt::format("cannot listen on {}:{}: {}", options_.host, options_.port,
                                  errno ? std::strerror(errno) : "no such address"));
  ::listen(svr_sock_, backlog);  // cpp-httplib uses a backlog of 5
}

bool HttpServer::Server::process_and_close_socket(socket_t socket) {
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  HttpStream stream(socket);
  if (refuse_connection) {
    constexpr std::string_view refusal =
        "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    stream.reader.write_all(refusal.data(), refusal.size(), std::chrono::milliseconds(1), std::chrono::milliseconds(1));
    ::close(socket);
    return false;
  }
  connections_.add(socket);
  ++metrics_.connections;
  current = &stream;
  bool closed = false;
  const auto wait = [&] {
    const bool is_only = connections_.count() == 1;  // several spinning connections would compete for the processor
    return stream.reader.wait(draining_ ? std::chrono::milliseconds(0) : options_.idle_time,
                              is_only ? spin_time : std::chrono::microseconds(0));
  };
  while (!closed && wait()) {
    stream.arrived = stream.reader.arrived();
    connections_.set_phase(socket, Connections::Phase::receiving);
    if (!process_next(stream, closed)) break;
    connections_.set_phase(socket, Connections::Phase::idle);
  }
  current = nullptr;
  if (stream.must_close) stream.reader.linger_close(last_read_time, options_.max_body);
  connections_.remove(socket);
  ::shutdown(socket, SHUT_RDWR);
  ::close(socket);
  return true;
}

/// Parses and answers one request. Returns false if the connection is broken.
bool HttpServer::Server::process_next(HttpStream& stream, bool& closed) {
  stream.reader.expect(Clock::now() + options_.header_time, options_.max_header);
  stream.replied = stream.must_close = stream.is_last = false;
  const auto prepare = [](httplib::Request& request) {
    // Replies are too short for ranges to be useful, and compressing them takes longer than sending them.
    request.ranges.clear();
    request.headers.erase("Accept-Encoding");
    request.headers.erase("Range");
  };
  // The arguments of process_request differ between versions.
  const auto process = [&](auto& self) {
    if constexpr (requires { self.process_request(stream, false, closed, prepare); })
      return self.process_request(stream, false, closed, prepare);
    else
      return self.process_request(stream, stream.remote(), 0, "", 0, false, closed, prepare);
  };
  const bool processed = process(*this);
  const bool sent = stream.flush();
  if (!stream.replied) stream.must_close = true;
  closed = closed || stream.must_close || stream.is_last;
  return processed && sent;
}

HttpReply HttpServer::Server::make_reply(const httplib::Request& request, std::size_t& request_bytes) {
  HttpRequest asked{.method = request.method,
                    .path = request.path,
                    .authorization = request.get_header_value("Authorization"),
                    .json_size = request.get_header_value("Inference-Header-Content-Length"),
                    .body = {},
                    .arrived = current->arrived};
  const auto length = body_length(body_headers(request), options_.max_body);
  const bool has_body = !std::holds_alternative<std::size_t>(length) || std::get<std::size_t>(length) > 0;
  if (auto refused = service_.refuse_early(asked)) {
    current->must_close = has_body;
    return *refused;
  }
  if (const HttpReply* refused = std::get_if<HttpReply>(&length)) {
    current->must_close = true;
    return *refused;
  }
  const std::size_t size = std::get<std::size_t>(length);
  const auto time = options_.header_time + std::chrono::milliseconds(size / 1024);
  current->flush();  // sends "100 Continue"
  current->reader.expect(current->arrived + time, size);
  std::string body;
  if (!current->reader.read_all(body, size)) {
    current->must_close = true;
    return error_reply(408, "the body did not arrive in time");
  }
  request_bytes = size;
  asked.body = body;
  connections_.set_phase(current->socket_number(), Connections::Phase::busy);
  return service_.reply(asked);
}

void HttpServer::Server::answer(const httplib::Request& request, httplib::Response& response) {
  std::size_t request_bytes = 0;
  HttpReply reply = make_reply(request, request_bytes);
  reply_with(std::move(reply), request, request_bytes, response);
}

/// Replies to a request that cpp-httplib could not parse. Where the next one begins is unknown.
void HttpServer::Server::answer_broken(const httplib::Request& request, httplib::Response& response) {
  current->must_close = true;
  reply_with(error_reply(response.status, "the request is not valid HTTP"), request, 0, response);
}

/// Fills the response, counts it and logs it.
void HttpServer::Server::reply_with(HttpReply reply, const httplib::Request& request, std::size_t request_bytes,
                                    httplib::Response& response) {
  current->replied = true;
  response.status = reply.status;
  for (const auto& [name, value] : reply.headers) response.set_header(name, value);
  current->is_last = current->must_close || draining_;
  if (current->is_last) response.set_header("Connection", "close");
  response.body = std::move(reply.body);
  response.set_header("Content-Type", reply.content_type);
  metrics_.add_reply(reply.status);
  if (log_)
    log_({.remote = current->remote(),
          .method = request.method,
          .path = request.path,
          .status = reply.status,
          .request_bytes = request_bytes,
          .reply_bytes = response.body.size(),
          .seconds = std::chrono::duration<double>(Clock::now() - current->arrived).count(),
          .reply = reply});
}

HttpServer::HttpServer(Service& service, Metrics& metrics, const HttpOptions& options, Log log)
    : server_(std::make_unique<Server>(service, metrics, options, std::move(log))) {
  service.open_connections = [server = server_.get()] { return server->open_connections(); };
}

HttpServer::~HttpServer() {
  stop();
}

int HttpServer::port() const {
  return server_->port();
}

void HttpServer::start() {
  server_->start();
}

void HttpServer::stop() {
  server_->drain();
}

bool HttpServer::is_running() const {
  return server_->is_listening();
}

}  // namespace accrete::serve
