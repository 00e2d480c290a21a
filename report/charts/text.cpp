#include "report/charts/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace accrete::report {

std::string escape(std::string_view text) {
  std::string html;
  html.reserve(text.size());
  for (const char c : text) switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        html += c;
    }
  return html;
}

std::string shorten(std::string_view text, std::size_t max_characters) {
  const auto begins = [](char c) { return (c & 0xC0) != 0x80; };
  if (static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins)) <= max_characters)
    return std::string(text);
  std::size_t characters = 0, at = 0;
  while (at < text.size() && (!begins(text[at]) || ++characters < max_characters)) ++at;
  return std::string(text.substr(0, at)) + "\u2026";
}

std::string show_number(double value) {
  return std::isnan(value) ? "\u2013" : fmt::format("{:.4g}", value);
}

std::string show_metric(const std::string& name, double value) {
  return name == "accuracy" && !std::isnan(value) ? fmt::format("{:.2f} %", 100.0 * value) : show_number(value);
}

std::string metric_title(const std::string& name) {
  if (name == "auc" || name == "rmse" || name == "mae") {
    std::string upper = name;
    std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
    return upper;
  }
  if (name == "r2") return "R\u00b2";
  std::string words = name;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

}  // namespace accrete::report
