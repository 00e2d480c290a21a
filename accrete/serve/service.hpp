#pragma once
// The replies of the server: routes, the Open Inference Protocol, metrics and the page. Uses HTTP terms but no sockets,
// so that tests can call it directly.

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accrete/serve/batcher.hpp"
#include "accrete/serve/metrics.hpp"
#include "accrete/serve/repository.hpp"

namespace accrete::serve {

struct HttpRequest {
  std::string method, path;        ///< path: decoded, without the query
  std::string authorization = {};  ///< the header, unmodified
  std::string json_size = {};      ///< Inference-Header-Content-Length
  std::string_view body = {};
  Clock::time_point arrived = Clock::now();
};

struct HttpReply {
  int status = 200;
  std::string content_type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  // For the access log; empty or 0 unless the request was an inference.
  std::string model = {}, version = {}, id = {};
  std::size_t rows = 0, units = 0;
};

struct ServiceOptions {
  std::string token = {};         ///< required in requests; empty: none
  std::size_t max_rows = 10'000;  ///< per request
};

/// Thread-safe.
class Service {
 public:
  Service(Repository& repository, Batcher& batcher, Metrics& metrics, ServiceOptions options);

  /// Does not throw for any request; the reply reports errors.
  HttpReply reply(const HttpRequest& request);

  /// An error reply before the body is read, so that clients without a token cannot send one: 401, 404 or 405.
  std::optional<HttpReply> refuse_early(const HttpRequest& request) const;

  /// Marks the server as not ready, so that a load balancer stops sending requests.
  void drain() { draining_ = true; }
  bool is_draining() const { return draining_; }

  std::function<std::size_t()> open_connections = [] { return std::size_t{0}; };

 private:
  struct Route;
  std::optional<Route> route(const HttpRequest& request) const;
  HttpReply infer(const HttpRequest& request, std::string_view name, std::string_view version);
  HttpReply dispatch(const HttpRequest& request, const Route& route);
  bool has_token(const HttpRequest& request) const;

  Repository& repository_;
  Batcher& batcher_;
  Metrics& metrics_;
  const ServiceOptions options_;
  std::atomic<bool> draining_{false};
};

/// A reply with {"error": message}.
HttpReply error_reply(int status, std::string_view message);

}  // namespace accrete::serve
