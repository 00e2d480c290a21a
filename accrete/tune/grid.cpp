#include "accrete/tune/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "accrete/core/error.hpp"
#include "accrete/core/escape.hpp"

namespace accrete::tune {
namespace {

constexpr std::size_t max_reason = 400;  // bytes of a reason that quotes the value

using Json = nlohmann::ordered_json;

/// "line 3, column 7" of an offset in a text.
std::string line_and_column(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", line, before.size() - start + 1);
}

/// Parses an object. Rejects duplicate keys, of which the last would silently win.
Json parse_object(std::string_view text, const std::string& source) {
  std::set<std::string> keys;
  std::string twice;
  const auto watch = [&](int depth, nlohmann::detail::parse_event_t event, Json& parsed) {
    if (depth == 1 && event == nlohmann::detail::parse_event_t::key)
      if (const auto& key = parsed.get_ref<const std::string&>(); !keys.insert(key).second) twice = key;
    return true;
  };
  Json document;
  try {
    document = Json::parse(text.begin(), text.end(), watch);
  } catch (const nlohmann::json::parse_error& error) {
    throw core::DataError(fmt::format("{}: {}: not valid JSON", source, line_and_column(text, error.byte)));
  } catch (const nlohmann::json::out_of_range&) {
    throw core::DataError(fmt::format("{}: contains a number that is too large", source));
  }
  if (!twice.empty()) throw core::DataError(fmt::format("{}: {} is given twice", source, core::quote(twice)));
  if (!document.is_object() || document.empty())
    throw core::DataError(
        fmt::format("{}: must be an object of lists, such as {{\"learning_rate\": [0.1, 0.5]}}", source));
  return document;
}

/// The value as spelled on the command line.
std::string value_text(const Json& value, const std::string& place) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  if (value.is_number()) return value.dump();
  throw core::DataError(fmt::format("{}: must be a number, a text, true or false", place));
}

Axis parse_axis(const std::string& name, const Json& list, const std::string& source, const Method& method) {
  if (!list.is_array() || list.empty())
    throw core::DataError(fmt::format("{}: {} must be a list of at least one value", source, core::quote(name)));
  Axis axis{name, {}};
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string place = fmt::format("{}: {}, value {}", source, core::quote(name), i + 1);
    std::string text = value_text(list[i], place);
    try {
      text = method.canonical({name, text});
    } catch (const core::UsageError& error) {
      throw core::DataError(fmt::format("{}: {}", place, core::shorten(error.what(), max_reason)));
    }
    if (std::ranges::find(axis.values, text) != axis.values.end())
      throw core::DataError(fmt::format("{}: {} is given twice", place, core::shorten(text, max_reason)));
    axis.values.push_back(text);
  }
  return axis;
}

}  // namespace

const Axis* Grid::find(std::string_view name) const {
  const auto at = std::ranges::find(axes, name, &Axis::name);
  return at == axes.end() ? nullptr : &*at;
}

void Grid::remove(std::string_view name) {
  if (name == "units") units.clear();
  std::erase_if(axes, [&](const Axis& axis) { return axis.name == name; });
}

std::size_t Grid::size() const {
  std::size_t count = listed.size();
  for (const Axis& axis : axes) count = std::min(max_points + 1, count * axis.values.size());
  return count;
}

std::vector<Settings> Grid::points() const {
  std::vector<Settings> points = listed;
  for (const Axis& axis : axes) {
    std::vector<Settings> longer;
    for (const Settings& point : points)
      for (const auto& value : axis.values) {
        longer.push_back(point);
        longer.back().emplace_back(axis.name, value);
      }
    points = std::move(longer);
  }
  return points;
}

Grid paper_grid(data::Task task) {
  if (task == data::Task::binary)
    return {{{"learning_rate", {"0.1", "0.25", "0.5", "1"}},
             {"subsample", {"0.5", "0.75", "1"}},
             {"units_per_step", {"1", "2", "3"}}},
            {200}};
  return {{{"learning_rate", {"0.025", "0.05", "0.1", "0.5", "1"}},
           {"subsample", {"0.25", "0.5", "0.75", "1"}},
           {"units_per_step", {"1", "2", "3", "4"}}},
          {200}};
}

Grid parse_grid(std::string_view text, const std::string& source, const Method& method) {
  Grid grid;
  const Json document = parse_object(text, source);
  for (const auto& [name, list] : document.items()) {
    Axis axis = parse_axis(name, list, source, method);
    if (name != "units") {
      grid.axes.push_back(std::move(axis));
      continue;
    }
    for (const auto& units : axis.values) grid.units.push_back(std::stoull(units));
    std::ranges::sort(grid.units);
  }
  if (grid.size() > max_points) throw core::DataError(fmt::format("{}: more than {} combinations", source, max_points));
  return grid;
}

}  // namespace accrete::tune
