#include "report/charts/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "accrete/core/base64.hpp"
#include "report/charts/ranks.hpp"

namespace accrete::report {
namespace {

const char* mark_name(Mark mark) {
  switch (mark) {
    case Mark::line:
      return "line";
    case Mark::points:
      return "points";
    case Mark::bars:
      return "bars";
  }
  return "";
}

Json series_json(const Series& series) {
  Json json{{"mark", mark_name(series.mark)},
            {"x", round_digits(series.x)},
            {"y", round_digits(series.y)},
            {"colour", series.colour}};
  if (!series.name.empty()) json["name"] = series.name;
  if (!series.low.empty()) json["low"] = round_digits(series.low), json["high"] = round_digits(series.high);
  if (!series.from.empty()) json["from"] = round_digits(series.from);
  if (series.mark == Mark::bars) json["width"] = series.width;
  if (series.faint) json["faint"] = true;
  return json;
}

Json axis_json(const Axis& axis) {
  Json json{{"label", axis.label}};
  if (axis.log) json["log"] = true;
  if (axis.low) json["low"] = *axis.low;
  if (axis.high) json["high"] = *axis.high;
  if (!axis.categories.empty()) {
    json["categories"] = axis.categories;
    json["category_height"] = axis.category_height;
  }
  return json;
}

Json chart_json(const Plot& plot) {
  Json json{{"title", plot.title}, {"x", axis_json(plot.x)}, {"y", axis_json(plot.y)}, {"series", Json::array()}};
  if (plot.square) json["square"] = true;
  for (const Series& series : plot.series) json["series"].push_back(series_json(series));
  return json;
}

Json chart_json(const HeatMap& map) {
  return {{"title", map.title}, {"row_label", map.row_label}, {"column_label", map.column_label},
          {"rows", map.rows},   {"columns", map.columns},     {"values", map.values}};
}

Json chart_json(const Ranks& ranks) {
  const RankLayout layout = rank_layout(ranks);
  Json json{{"title", ranks.title},    {"methods", ranks.names.size()}, {"critical", round_digits(ranks.critical)},
            {"levels", layout.levels}, {"leaders", Json::array()},      {"groups", Json::array()}};
  for (const RankLeader& leader : layout.leaders)
    json["leaders"].push_back({{"name", leader.name},
                               {"rank", round_digits(leader.rank)},
                               {"shown", fmt::format("{:.2f}", leader.rank)},
                               {"left", leader.left},
                               {"level", leader.level}});
  for (const RankGroup& group : layout.groups)
    json["groups"].push_back(
        {{"low", round_digits(group.low)}, {"high", round_digits(group.high)}, {"level", group.level}});
  return json;
}

Json chart_json(const Field& field) {
  Json json{{"title", field.title}, {"x_label", field.x_label}, {"y_label", field.y_label},
            {"limit", field.limit}, {"side", field.side},       {"field", field_bytes(field.values)}};
  for (const ClassPoints& marked : field.classes)
    json["classes"].push_back(
        {{"name", marked.name}, {"x", round_digits(marked.x, 4)}, {"y", round_digits(marked.y, 4)}});
  return json;
}

}  // namespace

const std::string& title_of(const Chart& chart) {
  return std::visit([](const auto& c) -> const std::string& { return c.title; }, chart);
}

Json to_json(const Chart& chart) {
  return std::visit([](const auto& c) { return chart_json(c); }, chart);
}

std::string field_bytes(const std::vector<double>& values) {
  std::string bytes;
  for (const double value : values)
    bytes += static_cast<char>(static_cast<unsigned char>(std::lround(255.0 * std::clamp(value, 0.0, 1.0))));
  return core::base64(bytes);
}

double round_digits(double value, int digits) {
  return std::isfinite(value) ? std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr) : value;
}

std::vector<double> round_digits(std::vector<double> values, int digits) {
  for (double& value : values) value = round_digits(value, digits);
  return values;
}

}  // namespace accrete::report
