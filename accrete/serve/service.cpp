#include "accrete/serve/service.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <new>

#include <fmt/format.h>

#include "accrete/core/error.hpp"
#include "accrete/core/version.hpp"
#include "accrete/model/offsets.hpp"
#include "accrete/model/overflow.hpp"
#include "accrete/model/predict_exit.hpp"
#include "accrete/serve/infer_request.hpp"
#include "accrete/serve/infer_response.hpp"
#include "accrete/serve/outputs.hpp"
#include "accrete/serve/pages.hpp"
#include "accrete/serve/request_error.hpp"
#include "accrete/serve/request_rows.hpp"

namespace accrete::serve {
namespace {

constexpr const char* page_policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::vector<std::string_view> split_path(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    path.remove_prefix(1);  // remove the slash
    const auto end = std::min(path.find('/'), path.size());
    parts.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return parts;
}

/// Compares in constant time, which does not reveal how many bytes match.
bool equal_secrets(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b.empty() ? 0 : b[i % b.size()]);
  return difference == 0;
}

std::optional<std::size_t> parse_size(const std::string& text) {
  if (text.empty()) return std::nullopt;
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc{} || end != text.data() + text.size())
    throw RequestError(fmt::format("Inference-Header-Content-Length {}: must be a number of bytes", text));
  return size;
}

std::string server_json() {
  return fmt::format(
      "{{\"name\":\"accrete\",\"version\":\"{}\",\"extensions\":[\"binary_tensor_data\",\"model_repository\"]}}",
      core::version());
}

}  // namespace

/// The parsed path of a request.
struct Service::Route {
  enum class Kind { page, openapi, metrics, server, live, ready, index, card, metadata, model_ready, infer };
  Kind kind;
  std::string_view model = {}, version = {};

  bool is_post() const { return kind == Kind::infer || kind == Kind::index; }
  bool is_open() const {  // open without a token: pages contain no data, and probes have no token
    return kind == Kind::page || kind == Kind::openapi || kind == Kind::live || kind == Kind::ready;
  }
};

HttpReply error_reply(int status, std::string_view message) {
  return {.status = status, .body = error_json(message)};
}

Service::Service(Repository& repository, Batcher& batcher, Metrics& metrics, ServiceOptions options)
    : repository_(repository), batcher_(batcher), metrics_(metrics), options_(std::move(options)) {}

std::optional<Service::Route> Service::route(const HttpRequest& request) const {
  using Kind = Route::Kind;
  struct Fixed {
    std::string_view path;
    Kind kind;
  };
  constexpr std::array fixed{Fixed{"/", Kind::page},
                             Fixed{"/openapi.json", Kind::openapi},
                             Fixed{"/metrics", Kind::metrics},
                             Fixed{"/v2", Kind::server},
                             Fixed{"/v2/", Kind::server},
                             Fixed{"/v2/health/live", Kind::live},
                             Fixed{"/v2/health/ready", Kind::ready},
                             Fixed{"/v2/repository/index", Kind::index}};
  for (const Fixed& at : fixed)
    if (request.path == at.path) return Route{at.kind};
  if (!request.path.starts_with("/v2/models/")) return std::nullopt;
  auto parts = split_path(request.path);  // v2, models, NAME, [versions, V,] [ready | infer | card]
  Route found{Kind::metadata, parts[2]};
  std::size_t next = 3;
  if (parts.size() > 4 && parts[3] == "versions") found.version = parts[4], next = 5;
  if (found.model.empty() || (next == 5 && found.version.empty()) || parts.size() > next + 1) return std::nullopt;
  if (parts.size() == next) return found;
  if (parts[next] == "ready")
    found.kind = Kind::model_ready;
  else if (parts[next] == "infer")
    found.kind = Kind::infer;
  else if (parts[next] == "card")
    found.kind = Kind::card;
  else
    return std::nullopt;
  return found;
}

bool Service::has_token(const HttpRequest& request) const {
  constexpr std::string_view scheme = "Bearer ";
  const std::string_view given = request.authorization;
  return options_.token.empty() ||
         (given.starts_with(scheme) && equal_secrets(given.substr(scheme.size()), options_.token));
}

std::optional<HttpReply> Service::refuse_early(const HttpRequest& request) const {
  const auto found = route(request);
  if (!has_token(request) && !(found && found->is_open())) {
    HttpReply refused = error_reply(401, "a bearer token is needed");
    refused.headers.emplace_back("WWW-Authenticate", "Bearer");
    return refused;
  }
  if (!found) return error_reply(404, fmt::format("no such path: {}", request.path));
  const bool is_get = request.method == "GET" || request.method == "HEAD";
  if (found->is_post() ? request.method != "POST" : !is_get) {
    HttpReply refused = error_reply(405, fmt::format("{} is not allowed here", request.method));
    refused.headers.emplace_back("Allow", found->is_post() ? "POST" : "GET, HEAD");
    return refused;
  }
  return std::nullopt;
}

HttpReply Service::reply(const HttpRequest& request) {
  try {
    if (auto refused = refuse_early(request)) return *refused;
    return dispatch(request, *route(request));
  } catch (const RequestError& error) {
    return error_reply(error.status(), error.what());
  } catch (const core::Error& error) {  // caused by the data or by the number of units
    return error_reply(400, error.what());
  } catch (const std::bad_alloc&) {
    return error_reply(503, "out of memory");
  } catch (const std::exception& error) {
    return error_reply(500, error.what());
  }
}

HttpReply Service::dispatch(const HttpRequest& request, const Route& route) {
  using Kind = Route::Kind;
  switch (route.kind) {
    case Kind::page:
      if (!explorer_page()) throw RequestError(404, "this build of accrete has no page (built without D3)");
      return {.content_type = "text/html; charset=utf-8",
              .body = *explorer_page(),
              .headers = {{"Content-Security-Policy", page_policy}, {"X-Content-Type-Options", "nosniff"}}};
    case Kind::openapi:
      return {.body = std::string(openapi_json)};
    case Kind::metrics:
      return {.content_type = "text/plain; version=0.0.4",
              .body = metrics_.text({.connections = open_connections(),
                                     .waiting_rows = batcher_.waiting_rows(),
                                     .models = repository_.list().size()})};
    case Kind::server:
      return {.body = server_json()};
    case Kind::live:
      return {.body = "{\"live\":true}"};
    case Kind::ready:
      if (draining_) throw RequestError(503, "the server is stopping");
      return {.body = "{\"ready\":true}"};
    case Kind::index: {
      std::string models;
      for (const auto& served : repository_.list())
        models += fmt::format("{}{{\"name\":{},\"version\":{},\"state\":\"READY\",\"reason\":\"\"}}",
                              models.empty() ? "" : ",", json_text(served->name), json_text(served->version));
      return {.body = "[" + models + "]"};
    }
    case Kind::card:
      return {.body = card_json(*repository_.find(route.model, route.version))};
    case Kind::metadata:
      return {.body = metadata_json(*repository_.find(route.model, route.version), repository_.versions(route.model))};
    case Kind::model_ready: {
      const auto served = repository_.find(route.model, route.version);
      return {.body = fmt::format("{{\"name\":{},\"ready\":true}}", json_text(served->name))};
    }
    case Kind::infer:
      return infer(request, route.model, route.version);
  }
  throw RequestError(404, "no such path");
}

HttpReply Service::infer(const HttpRequest& request, std::string_view name, std::string_view version) {
  const auto served = repository_.find(name, version);
  const InferRequest parsed =
      parse_infer_request(request.body, parse_size(request.json_size), {.max_rows = options_.max_rows});
  const auto units = parsed.units();
  const std::optional<std::size_t> steps = units ? std::optional(served->model.steps_for(*units)) : std::nullopt;
  const bool exits = parsed.exits();
  if (exits) model::require_early_exit(served->model);
  check_outputs(*served, parsed);
  const RequestRows rows = read_rows(*served, parsed);
  if (exits && !rows.offsets.empty())
    throw RequestError("parameter 'exit': cannot be used with a model that has an offset");
  Prediction prediction =
      batcher_.predict({.served = served, .raw = rows.raw, .steps = steps, .exits = exits, .arrived = request.arrived});
  if (!rows.offsets.empty()) model::add_offsets(served->model, rows.offsets, prediction.values);
  model::refuse_overflow(prediction.values, "request");
  InferResponse response{.model_name = served->name,
                         .model_version = served->version,
                         .id = parsed.id,
                         .units = served->model.units_after(prediction.steps),
                         .mean_units = prediction.mean_units,
                         .outputs = make_outputs(*served, parsed, rows, prediction.values, prediction.steps)};
  RenderedResponse rendered = render(response);
  const auto used = response.mean_units ? static_cast<std::size_t>(std::lround(*response.mean_units)) : response.units;
  HttpReply reply{.body = std::move(rendered.body),
                  .model = served->name,
                  .version = served->version,
                  .id = parsed.id,
                  .rows = rows.rows(),
                  .units = used};
  if (rendered.json_size) {
    reply.content_type = "application/octet-stream";
    reply.headers.emplace_back("Inference-Header-Content-Length", std::to_string(*rendered.json_size));
  }
  batcher_.finish_request(*served, request.arrived);
  metrics_.add_inference({.model = served->name,
                          .version = served->version,
                          .rows = rows.rows(),
                          .units = used,
                          .batch_rows = prediction.batch_rows,
                          .seconds = std::chrono::duration<double>(Clock::now() - request.arrived).count()});
  return reply;
}

}  // namespace accrete::serve
