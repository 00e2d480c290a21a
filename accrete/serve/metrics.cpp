#include "accrete/serve/metrics.hpp"

#include <iterator>

#include <fmt/format.h>

#include "accrete/core/version.hpp"

namespace accrete::serve {
namespace {

/// Escapes the backslash, quote and newline in a Prometheus label value.
std::string escape_label(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == '"' || c == '\n') escaped += '\\';
    escaped += c == '\n' ? 'n' : c;
  }
  return escaped;
}

void declare(std::string& text, const char* name, const char* type, const char* help) {
  fmt::format_to(std::back_inserter(text), "# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

template <class Value>
void sample(std::string& text, const char* name, const std::string& labels, const Value& value) {
  fmt::format_to(std::back_inserter(text), "{}{} {}\n", name, labels.empty() ? "" : "{" + labels + "}", value);
}

template <class Histogram>
void sample_histogram(std::string& text, const std::string& name, const std::string& labels, const Histogram& values) {
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < values.bounds.size(); ++i) {
    below += values.counts[i];
    sample(text, (name + "_bucket").c_str(), fmt::format("{},le=\"{}\"", labels, values.bounds[i]), below);
  }
  sample(text, (name + "_bucket").c_str(), labels + ",le=\"+Inf\"", values.count);
  sample(text, (name + "_sum").c_str(), labels, values.sum);
  sample(text, (name + "_count").c_str(), labels, values.count);
}

}  // namespace

void Metrics::add_inference(const Inference& inference) {
  const std::unique_lock lock(mutex_);
  PerModel& model = models_[{inference.model, inference.version}];
  ++model.requests;
  model.rows += inference.rows;
  model.unit_sum += inference.units;
  model.last_units = inference.units;
  model.seconds.add(inference.seconds);
  model.batch_rows.add(static_cast<double>(inference.batch_rows));
}

void Metrics::add_reply(int status) {
  const std::unique_lock lock(mutex_);
  ++replies_[status];
}

void Metrics::add_reload(bool accepted) {
  const std::unique_lock lock(mutex_);
  ++(accepted ? reloads_ : refused_reloads_);
}

std::string Metrics::text(const Gauges& gauges) const {
  const std::unique_lock lock(mutex_);
  std::string text;
  const auto single = [&](const char* name, const char* type, const char* help, auto value) {
    declare(text, name, type, help);
    sample(text, name, "", value);
  };
  declare(text, "accrete_info", "gauge", "The version of accrete.");
  sample(text, "accrete_info", fmt::format("version=\"{}\"", core::version()), 1);
  single("accrete_models", "gauge", "Model versions that are served.", gauges.models);
  single("accrete_connections", "gauge", "Open connections.", gauges.connections);
  single("accrete_connections_total", "counter", "Accepted connections.", connections.load());
  single("accrete_connections_refused_total", "counter", "Connections closed to stay within the limit.",
         refused_connections.load());
  single("accrete_waiting_rows", "gauge", "Rows that wait for a batch.", gauges.waiting_rows);
  single("accrete_reloads_total", "counter", "Model files loaded or removed while serving.", reloads_);
  single("accrete_reloads_refused_total", "counter", "Model files refused while serving.", refused_reloads_);
  declare(text, "accrete_replies_total", "counter", "Replies by HTTP status.");
  for (const auto& [status, count] : replies_)
    sample(text, "accrete_replies_total", fmt::format("status=\"{}\"", status), count);
  const auto per_model = [&](const char* name, const char* type, const char* help, auto&& add) {
    declare(text, name, type, help);
    for (const auto& [key, model] : models_)
      add(name, fmt::format("model=\"{}\",version=\"{}\"", escape_label(key.first), escape_label(key.second)), model);
  };
  per_model(
      "accrete_requests_total", "counter", "Answered inference requests.",
      [&](const char* name, const std::string& labels, const PerModel& m) { sample(text, name, labels, m.requests); });
  per_model(
      "accrete_rows_total", "counter", "Predicted rows.",
      [&](const char* name, const std::string& labels, const PerModel& m) { sample(text, name, labels, m.rows); });
  per_model("accrete_units", "gauge", "Units of the last answer.",
            [&](const char* name, const std::string& labels, const PerModel& m) {
              sample(text, name, labels, m.last_units);
            });
  per_model(
      "accrete_units_total", "counter", "Sum of the units of all answers; divide by the requests for the mean.",
      [&](const char* name, const std::string& labels, const PerModel& m) { sample(text, name, labels, m.unit_sum); });
  per_model("accrete_request_seconds", "histogram", "Time from the arrival of a request to its reply.",
            [&](const char* name, const std::string& labels, const PerModel& m) {
              sample_histogram(text, name, labels, m.seconds);
            });
  per_model("accrete_batch_rows", "histogram", "Rows of the batch that a request was in.",
            [&](const char* name, const std::string& labels, const PerModel& m) {
              sample_histogram(text, name, labels, m.batch_rows);
            });
  return text;
}

}  // namespace accrete::serve
