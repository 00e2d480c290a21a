#include "accrete/serve/served_model.hpp"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "accrete/model/link.hpp"
#include "accrete/serve/outputs.hpp"

namespace accrete::serve {
namespace {

using Json = nlohmann::ordered_json;
using Kind = ServedColumn::Kind;

constexpr std::size_t max_levels = 200;        // shown on the page
constexpr std::size_t max_curve_points = 400;  // drawn on the page

const char* kind_name(Kind kind) {
  return kind == Kind::number ? "number" : kind == Kind::text ? "text" : kind == Kind::date ? "date" : "offset";
}

std::vector<ServedColumn> columns_of(const model::Model& model) {
  std::vector<ServedColumn> columns;
  const auto& inputs = model.encoder.inputs();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const data::TextFormat& format = inputs[i].format;
    const std::string& name = format.is_date() ? format.column : inputs[i].name;
    if (format.is_date() && std::ranges::find(columns, name, &ServedColumn::name) != columns.end()) continue;
    const bool is_text = inputs[i].kind == data::Column::Kind::text || format.needs_text();
    columns.push_back({name, format.is_date() ? Kind::date : is_text ? Kind::text : Kind::number, i});
  }
  if (!model.offset_column.empty() &&
      std::ranges::find(columns, model.offset_column, &ServedColumn::name) == columns.end())
    columns.push_back({model.offset_column, Kind::offset});
  return columns;
}

bool is_plain_number(const data::Input& input) {
  return input.kind == data::Column::Kind::numeric && input.format == data::TextFormat{};
}

Json column_json(const ServedColumn& column, const model::Model& model) {
  Json json{{"name", column.name}, {"kind", kind_name(column.kind)}};
  if (column.kind == Kind::offset) return json;
  const data::Input& input = model.encoder.inputs()[column.input];
  if (column.kind == Kind::number) json["mean"] = input.mean;
  if (!input.levels.empty()) {
    json["levels"] =
        std::vector(input.levels.begin(),
                    input.levels.begin() + static_cast<std::ptrdiff_t>(std::min(input.levels.size(), max_levels)));
    json["level_count"] = input.levels.size();
  }
  return json;
}

/// The loss after a subset of the steps, including the first and the last.
Json curve_json(const model::Model& model) {
  Json curve = Json::array();
  const auto& training = model.provenance.train_loss;
  const auto& validation = model.provenance.validation_loss;
  if (model.method != model::Method::boosting || training.empty()) return curve;
  const std::size_t last = std::min(training.size() - 1, model.network.steps());
  const std::size_t points = std::min(last, max_curve_points);
  for (std::size_t i = 0; i <= points; ++i) {
    const std::size_t step = points == 0 ? 0 : last * i / points;
    Json point{{"units", model.network.units_after(step)}, {"train_loss", training[step]}};
    if (step < validation.size()) point["validation_loss"] = validation[step];
    curve.push_back(std::move(point));
  }
  return curve;
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

const char* ServedColumn::datatype() const {
  return kind == Kind::number ? "FP32" : kind == Kind::offset ? "FP64" : "BYTES";
}

std::shared_ptr<const ServedModel> make_served_model(std::string name, std::string version, std::string path,
                                                     model::Model model) {
  auto served = std::make_shared<ServedModel>(ServedModel{.name = std::move(name),
                                                          .version = std::move(version),
                                                          .path = std::move(path),
                                                          .model = std::move(model),
                                                          .columns = {},
                                                          .levels = {}});
  served->columns = columns_of(served->model);
  for (const data::Input& input : served->model.encoder.inputs()) served->levels.emplace_back(input);
  served->has_dial = served->model.method == model::Method::boosting;
  served->takes_matrix =
      served->model.offset_column.empty() && std::ranges::all_of(served->model.encoder.inputs(), is_plain_number);
  model::tables_of(served->model);
  return served;
}

std::string metadata_json(const ServedModel& served, const std::vector<std::string>& versions) {
  const model::Model& model = served.model;
  Json inputs = Json::array(), outputs = Json::array();
  for (const ServedColumn& column : served.columns)
    inputs.push_back({{"name", column.name}, {"datatype", column.datatype()}, {"shape", {-1}}});
  for (const OutputDescription& output : describe_outputs(model))
    outputs.push_back({{"name", output.name}, {"datatype", output.datatype}, {"shape", output.shape}});
  return dump({{"name", served.name},
               {"versions", versions},
               {"platform", "accrete"},
               {"inputs", inputs},
               {"outputs", outputs},
               {"parameters",
                {{"version", served.version},
                 {"units", model.units_after(model.network.steps())},
                 {"predictions", model.prediction_names()}}}});
}

std::string card_json(const ServedModel& served) {
  const model::Model& model = served.model;
  Json columns = Json::array(), units = Json::array();
  for (const ServedColumn& column : served.columns) columns.push_back(column_json(column, model));
  for (std::size_t s = 1; s <= model.network.steps(); ++s) units.push_back(model.network.units_after(s));
  return dump({{"name", served.name},
               {"version", served.version},
               {"method", model::method_name(model.method)},
               {"task", data::task_name(model.task)},
               {"targets", model.targets},
               {"classes", model.classes},
               {"predictions", model.prediction_names()},
               {"loss", model.loss.name()},
               {"activation", model.network.activation().name()},
               {"training_rows", model.provenance.training_rows},
               {"made_by", model.provenance.version},
               {"coverage", model.calibration.coverage},
               {"units", model.units_after(model.network.steps())},
               {"unit_choices", units},
               {"columns", columns},
               {"curve", curve_json(model)}});
}

}  // namespace accrete::serve
