// Queries of a model. They return 0 or NULL for a NULL model or an index out of range.

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "accrete/c/handle.hpp"
#include "accrete/core/version.hpp"
#include "accrete/data/table.hpp"

namespace {

using accrete::data::Input;

const char* name_in(const std::vector<std::string>& names, size_t index) {
  return index < names.size() ? names[index].c_str() : nullptr;
}

const Input* input_of(const accrete_model* model, size_t input) {
  return input < accrete_inputs(model) ? &model->model.encoder.inputs()[input] : nullptr;
}

const char* kind_name(const Input& input) {
  return input.kind == accrete::data::Column::Kind::numeric ? "numeric" : "text";
}

}  // namespace

std::string accrete::c::describe(const model::Model& model) {
  using Json = nlohmann::ordered_json;
  Json inputs = Json::array();
  for (const Input& input : model.encoder.inputs())
    inputs.push_back({{"name", input.name}, {"kind", kind_name(input)}, {"levels", input.levels}});
  const auto ends = model.network.step_ends();
  const Json all = {{"version", model.provenance.version},
                    {"task", data::task_name(model.task)},
                    {"targets", model.targets},
                    {"classes", model.classes},
                    {"inputs", inputs},
                    {"outputs", model.prediction_names().size()},
                    {"units", model.network.units()},
                    {"step_units", std::vector<std::size_t>(ends.begin(), ends.end())},
                    {"activation", model.network.activation().name()},
                    {"loss", model.loss.name()}};
  return all.dump();
}

const char* accrete_version() noexcept {
  return accrete::core::version();
}

int accrete_abi_version() noexcept {
  return ACCRETE_ABI_VERSION;
}

const char* accrete_describe(const accrete_model* model) noexcept {
  return model ? model->description.c_str() : nullptr;
}

const char* accrete_task(const accrete_model* model) noexcept {
  return model ? accrete::data::task_name(model->model.task) : nullptr;
}

size_t accrete_inputs(const accrete_model* model) noexcept {
  return model ? model->model.encoder.inputs().size() : 0;
}

size_t accrete_outputs(const accrete_model* model) noexcept {
  if (accrete_classes(model) > 0) return accrete_classes(model);
  const std::size_t quantiles = model ? model->model.loss.quantiles().size() : 0;
  return quantiles > 0 ? quantiles : accrete_targets(model);
}

size_t accrete_units(const accrete_model* model) noexcept {
  return model ? model->model.network.units() : 0;
}

size_t accrete_steps(const accrete_model* model) noexcept {
  return model ? model->model.network.steps() : 0;
}

size_t accrete_units_after(const accrete_model* model, size_t steps) noexcept {
  return steps <= accrete_steps(model) && model ? model->model.network.units_after(steps) : 0;
}

size_t accrete_targets(const accrete_model* model) noexcept {
  return model ? model->model.targets.size() : 0;
}

const char* accrete_target_name(const accrete_model* model, size_t target) noexcept {
  return model ? name_in(model->model.targets, target) : nullptr;
}

size_t accrete_classes(const accrete_model* model) noexcept {
  return model ? model->model.classes.size() : 0;
}

const char* accrete_class_name(const accrete_model* model, size_t index) noexcept {
  return model ? name_in(model->model.classes, index) : nullptr;
}

const char* accrete_input_name(const accrete_model* model, size_t input) noexcept {
  const Input* found = input_of(model, input);
  return found ? found->name.c_str() : nullptr;
}

const char* accrete_input_kind(const accrete_model* model, size_t input) noexcept {
  const Input* found = input_of(model, input);
  return found ? kind_name(*found) : nullptr;
}

size_t accrete_levels(const accrete_model* model, size_t input) noexcept {
  const Input* found = input_of(model, input);
  return found ? found->levels.size() : 0;
}

const char* accrete_level_name(const accrete_model* model, size_t input, size_t level) noexcept {
  const Input* found = input_of(model, input);
  return found ? name_in(found->levels, level) : nullptr;
}

float accrete_level(const accrete_model* model, size_t input, const char* text) noexcept {
  const Input* found = input_of(model, input);
  if (!text || !found || found->kind != accrete::data::Column::Kind::text)
    return std::numeric_limits<float>::quiet_NaN();
  const float level = model->levels[input].of_text(text);
  const auto& missing = found->format.missing;
  const bool is_missing = accrete::data::is_missing(text) || std::ranges::find(missing, text) != missing.end();
  return level == accrete::data::unseen_level && is_missing ? std::numeric_limits<float>::quiet_NaN() : level;
}
