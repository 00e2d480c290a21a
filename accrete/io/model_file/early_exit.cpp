#include "accrete/io/model_file/early_exit.hpp"

#include "accrete/io/model_file/json_fields.hpp"

namespace accrete::io {
using Json = nlohmann::ordered_json;

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
  result.tolerances = numbers_field(object, "tolerances");
  return result;
}

}  // namespace accrete::io
