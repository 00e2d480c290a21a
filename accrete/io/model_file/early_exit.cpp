#include "accrete/io/model_file/early_exit.hpp"

#include <fmt/format.h>

#include "accrete/core/error.hpp"

namespace accrete::io {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const char* key) {
  throw core::FileError(fmt::format("damaged (the model's description: '{}' of early_exit is not valid)", key));
}

const Json& field(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) refuse(key);
  return object[key];
}

double number_field(const Json& object, const char* key) {
  const Json& value = field(object, key);
  if (!value.is_number()) refuse(key);
  return value.get<double>();
}

std::uint64_t count_field(const Json& object, const char* key) {
  const Json& value = field(object, key);
  if (!value.is_number_unsigned()) refuse(key);
  return value.get<std::uint64_t>();
}

const Json& list_field(const Json& object, const char* key) {
  const Json& value = field(object, key);
  if (!value.is_array()) refuse(key);
  return value;
}

}  // namespace

Json describe_early_exit(const model::EarlyExit& early_exit) {
  Json exits = Json::array();
  for (const model::Exit& exit : early_exit.exits)
    exits.push_back({{"steps", exit.steps}, {"threshold", exit.threshold}});
  return {{"disagreement", early_exit.disagreement}, {"confidence", early_exit.confidence}, {"rows", early_exit.rows},
          {"differed", early_exit.differed},         {"mean_units", early_exit.mean_units}, {"exits", exits},
          {"tolerances", early_exit.tolerances}};
}

model::EarlyExit read_early_exit(const Json& object) {
  model::EarlyExit result;
  result.disagreement = number_field(object, "disagreement");
  result.confidence = number_field(object, "confidence");
  result.rows = count_field(object, "rows");
  result.differed = count_field(object, "differed");
  result.mean_units = number_field(object, "mean_units");
  for (const Json& entry : list_field(object, "exits"))
    result.exits.push_back({count_field(entry, "steps"), number_field(entry, "threshold")});
  for (const Json& value : list_field(object, "tolerances")) {
    if (!value.is_number()) refuse("tolerances");
    result.tolerances.push_back(value.get<double>());
  }
  return result;
}

}  // namespace accrete::io
