#include "accrete/experiment/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "accrete/core/error.hpp"

namespace accrete::experiment {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* experiment_name = "table";

Cell parse(const store::Result& result) {
  const Json document = Json::parse(result.document);
  Cell cell{result.key.profile, result.key.task, result.key.method};
  document.at("metric").get_to(cell.metric);
  document.at("rows").get_to(cell.rows);
  document.at("seed").get_to(cell.seed);
  cell.device = document.value("device", cell.device);
  for (const Json& json : document.at("parts")) {
    TestPart& part = cell.parts.emplace_back();
    json.at("repeat").get_to(part.repeat);
    json.at("fold").get_to(part.fold);
    const Json& score = json.at("score");
    part.score = score.is_null() ? std::numeric_limits<double>::quiet_NaN() : score.get<double>();
    for (const auto& [name, value] : json.at("settings").items())
      part.settings.emplace_back(name, value.get<std::string>());
  }
  return cell;
}

/// True if the numbers are plausible; a store may have been edited by hand.
bool is_plausible(const Cell& cell) {
  std::set<std::pair<std::size_t, std::size_t>> seen;
  const double most = cell.metric == "accuracy" ? 1.0 : std::numeric_limits<double>::max();
  for (const TestPart& part : cell.parts)
    if (!seen.insert({part.repeat, part.fold}).second || part.score < 0.0 || part.score > most) return false;
  return !cell.parts.empty() && (cell.metric == "accuracy" || cell.metric == "rmse");
}

}  // namespace

std::vector<double> Cell::scores() const {
  std::vector<double> all;
  for (const TestPart& part : parts) all.push_back(part.score);
  return all;
}

tune::Summary Cell::summary() const {
  return tune::summarise(scores());
}

const tune::Settings& Cell::modal_settings() const {
  const auto votes = [&](const TestPart& part) {
    return std::ranges::count(parts, part.settings, &TestPart::settings);
  };
  return std::ranges::max_element(parts, {}, votes)->settings;
}

store::Result to_result(const Cell& cell) {
  Json document{{"metric", cell.metric},
                {"rows", cell.rows},
                {"seed", cell.seed},
                {"device", cell.device},
                {"parts", Json::array()}};
  for (const TestPart& part : cell.parts) {
    Json settings = Json::object();
    for (const auto& [name, value] : part.settings) settings[name] = value;
    document["parts"].push_back(
        {{"repeat", part.repeat}, {"fold", part.fold}, {"score", part.score}, {"settings", std::move(settings)}});
  }
  return {{experiment_name, cell.profile, cell.task, cell.method}, document.dump()};
}

std::vector<Cell> read_cells(const std::vector<store::Result>& results) {
  std::vector<Cell> cells;
  for (const store::Result& result : results) {
    if (result.key.experiment != experiment_name) continue;
    try {
      cells.push_back(parse(result));
      if (!is_plausible(cells.back())) throw core::DataError("impossible scores");
    } catch (const std::exception&) {
      throw core::FileError(fmt::format("the store's result of {} on {} ({}) cannot be read", result.key.method,
                                        result.key.task, result.key.profile));
    }
  }
  return cells;
}

}  // namespace accrete::experiment
