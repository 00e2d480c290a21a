#include "report/experiment/documents.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "accrete/core/error.hpp"
#include "accrete/experiment/tasks.hpp"

namespace accrete::report {
namespace {

using Json = nlohmann::ordered_json;

void require(bool holds) {
  if (!holds) throw std::invalid_argument("lists differ in length");
}

/// JSON has null for NaN.
std::vector<double> numbers(const Json& json) {
  std::vector<double> values;
  for (const Json& value : json)
    values.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
  return values;
}

tune::Settings settings_in(const Json& document) {
  tune::Settings settings;
  for (const auto& [name, value] : document.at("settings").items())
    settings.emplace_back(name, value.get<std::string>());
  return settings;
}

UnitsCurve curve_in(const Json& json) {
  UnitsCurve curve{numbers(json.at("units")), numbers(json.at("mean")), numbers(json.at("se"))};
  require(!curve.units.empty() && curve.mean.size() == curve.units.size() && curve.se.size() == curve.units.size());
  return curve;
}

CurveResult parse_curve(const store::ResultKey& key, const Json& json) {
  return {key.task, key.method, json.at("metric"), json.at("folds"), settings_in(json), curve_in(json)};
}

TimesResult parse_times(const store::ResultKey& key, const Json& json) {
  return {key.task, key.method, json.at("folds"), curve_in(json.at("early")), curve_in(json.at("full"))};
}

TrainingTime parse_training_time(const store::ResultKey& key, const Json& json) {
  experiment::task_named(key.task);  // throws for an unknown task
  return {key.task, key.method, json.at("folds"), settings_in(json), json.at("mean"), json.at("sd")};
}

BoundaryResult parse_boundary(const store::ResultKey& key, const Json& json) {
  BoundaryResult result{key.task, key.method, json.at("limit"), json.at("side"), {}, {}, {}, {}};
  require(result.limit > 0.0 && result.side > 0 && result.side <= 1000);
  for (const Json& point : json.at("points")) {
    result.x.push_back(point.at(0));
    result.y.push_back(point.at(1));
    result.classes.push_back(point.at(2));
    require(result.classes.back() == 0 || result.classes.back() == 1);
  }
  for (const Json& panel : json.at("panels")) {
    result.panels.push_back({panel.at("units"), panel.at("accuracy"), numbers(panel.at("probability"))});
    require(result.panels.back().probability.size() == result.side * result.side);
  }
  return result;
}

/// Every document of the experiment and profile, read by `parse`.
template <class Parse>
auto read_all(const std::vector<store::Result>& results, const char* experiment, std::string_view profile,
              Parse parse) {
  std::vector<decltype(parse(store::ResultKey{}, Json{}))> all;
  for (const store::Result& result : results) {
    const store::ResultKey& key = result.key;
    if (key.experiment != experiment || key.profile != profile) continue;
    try {
      all.push_back(parse(key, Json::parse(result.document)));
    } catch (const std::exception&) {
      throw core::FileError(fmt::format("store: cannot read the result of {} on {} ({}, {})", key.method, key.task,
                                        key.experiment, key.profile));
    }
  }
  return all;
}

}  // namespace

std::vector<CurveResult> read_curves(const std::vector<store::Result>& results, std::string_view profile) {
  return read_all(results, "curves", profile, parse_curve);
}

std::vector<TimesResult> read_times(const std::vector<store::Result>& results, std::string_view profile) {
  return read_all(results, "times", profile, parse_times);
}

std::vector<TrainingTime> read_training_times(const std::vector<store::Result>& results, std::string_view profile) {
  return read_all(results, "times-table", profile, parse_training_time);
}

std::vector<BoundaryResult> read_boundaries(const std::vector<store::Result>& results, std::string_view profile) {
  return read_all(results, "boundary", profile, parse_boundary);
}

}  // namespace accrete::report
