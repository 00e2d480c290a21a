#pragma once
// HTTP front end of a Service on cpp-httplib: one thread per connection, with limits on the resources of a client.

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "accrete/serve/metrics.hpp"
#include "accrete/serve/service.hpp"

namespace accrete::serve {

struct HttpOptions {
  std::string host = "127.0.0.1";
  int port = 8080;                                ///< 0: any free port
  std::size_t max_body = 16 << 20;                ///< bytes of a request body
  std::size_t max_header = 16 << 10;              ///< bytes of a request line and headers
  std::size_t max_connections = 512;              ///< above it, the longest idle one is closed, else the longest upload
  std::chrono::milliseconds header_time{10'000};  ///< for a header to arrive; a body has one additional second per MiB
  std::chrono::milliseconds idle_time{60'000};    ///< between two requests on a connection
  std::chrono::milliseconds drain_time{10'000};   ///< for running requests when the server stops
};

/// A finished request as recorded in the access log.
struct AccessRecord {
  std::string remote, method, path;
  int status;
  std::size_t request_bytes, reply_bytes;
  double seconds;
  const HttpReply& reply;
};

class HttpServer {
 public:
  using Log = std::function<void(const AccessRecord&)>;

  /// Binds to the port but does not listen yet. Throws core::Error if it is in use or not permitted.
  HttpServer(Service& service, Metrics& metrics, const HttpOptions& options, Log log);
  ~HttpServer();  ///< stops
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;
  void start();
  /// Stops accepting connections, lets running requests finish within drain_time, and closes the others.
  void stop();
  bool is_running() const;

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace accrete::serve
