#include "accrete/serve/access_log.hpp"

#include <chrono>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "accrete/serve/infer_response.hpp"

namespace accrete::serve {
namespace {

std::string now_text() {
  const auto now = std::chrono::system_clock::now();
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(now)),
                     milliseconds);
}

}  // namespace

std::string log_line(const AccessRecord& record) {
  std::string line = fmt::format(
      R"({{"time":"{}","remote":{},"method":{},"path":{},"status":{},"request_bytes":{},"reply_bytes":{},"seconds":{:.6f})",
      now_text(), json_text(record.remote), json_text(record.method), json_text(record.path), record.status,
      record.request_bytes, record.reply_bytes, record.seconds);
  if (!record.reply.model.empty())
    line += fmt::format(R"(,"model":{},"version":{},"rows":{},"units":{})", json_text(record.reply.model),
                        json_text(record.reply.version), record.reply.rows, record.reply.units);
  if (!record.reply.id.empty()) line += ",\"id\":" + json_text(record.reply.id);
  return line + "}\n";
}

std::string log_line(const RepositoryEvent& event) {
  std::string line = fmt::format(R"({{"time":"{}","event":"{}")", now_text(), event_name(event.kind));
  if (!event.model.empty())
    line += fmt::format(R"(,"model":{},"version":{})", json_text(event.model), json_text(event.version));
  if (!event.message.empty()) line += ",\"error\":" + json_text(event.message);
  return line + "}\n";
}

}  // namespace accrete::serve
