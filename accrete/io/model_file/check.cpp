#include "accrete/io/model_file/check.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "accrete/core/error.hpp"
#include "accrete/io/strict_json.hpp"

namespace accrete::io {
namespace {

[[noreturn]] void refuse_model(const std::string& why) {
  throw core::DataError(why);
}

template <class T>
bool all_finite(std::span<const T> values) {
  return std::all_of(values.begin(), values.end(), [](T value) { return std::isfinite(value); });
}

bool usable_scale(double scale) {
  return std::isfinite(scale) && scale > 0.0;
}

void check_outputs(const model::Model& model) {
  const std::size_t outputs = model.network.outputs(), classes = model.classes.size();
  const std::size_t levels = model.loss.quantiles().size();
  switch (model.task) {
    case data::Task::regression:
      if (classes != 0 || outputs == 0 || outputs != (levels > 0 ? levels : model.targets.size()) ||
          (levels > 0 && model.targets.size() != 1))
        refuse_model(fmt::format("regression with {} targets, {} classes and {} outputs", model.targets.size(), classes,
                                 outputs));
      return;
    case data::Task::binary:
      if (classes != 2 || outputs != 1)
        refuse_model(
            fmt::format("binary classification with {} classes and {} outputs; expected 2 and 1", classes, outputs));
      break;
    case data::Task::multiclass:
      if (classes < 2 || outputs != classes)
        refuse_model(fmt::format("{} classes with {} outputs; expected one output per class", classes, outputs));
      break;
  }
  if (model.targets.size() != 1)
    refuse_model(fmt::format("classification with {} targets; expected 1", model.targets.size()));
  if (std::set<std::string>(model.classes.begin(), model.classes.end()).size() != classes)
    refuse_model("two classes have the same label");
}

void check_loss(const model::Model& model) {
  const loss::Link link = model.loss.link();
  const bool fits = model.task == data::Task::binary       ? link == loss::Link::sigmoid
                    : model.task == data::Task::multiclass ? link == loss::Link::softmax
                                                           : !model.loss.classes();
  if (!fits)
    refuse_model(fmt::format("loss '{}' does not fit task '{}'", model.loss.name(), data::task_name(model.task)));
  const loss::LossSettings& settings = model.loss.settings;
  if (!usable_scale(settings.huber_delta)) refuse_model("huber_delta must be positive");
  if (!(settings.quantile > 0.0 && settings.quantile < 1.0)) refuse_model("quantile must be between 0 and 1");
  const auto levels = settings.quantiles();
  const bool between = std::ranges::all_of(levels, [](double level) { return level > 0.0 && level < 1.0; });
  if (!levels.empty() && (std::string_view(model.loss.name()) != loss::Quantile::name || !between ||
                          !std::ranges::is_sorted(levels, std::less_equal{})))
    refuse_model("the quantiles must be ascending numbers between 0 and 1, of the quantile loss");
}

void check_target_scale(const model::Model& model) {
  // Losses that do not scale the target may omit shift and scale.
  const std::size_t count = model.target_shift.size();
  if (count != model.target_scale.size() || (count != model.targets.size() && (model.loss.scales() || count != 0)))
    refuse_model(fmt::format("{} target shifts and {} scales for {} targets", count, model.target_scale.size(),
                             model.targets.size()));
  if (!all_finite(std::span(model.target_shift)) ||
      !std::all_of(model.target_scale.begin(), model.target_scale.end(), usable_scale))
    refuse_model("a target's shift or scale is not finite, or the scale not positive");
}

void check_calibration(const model::Model& model) {
  const model::Calibration& calibration = model.calibration;
  if (calibration == model::Calibration{}) return;
  const bool has_interval = model.task != data::Task::regression || model.loss.quantiles().size() > 1;
  if (!(calibration.coverage > 0.0 && calibration.coverage < 1.0) || !has_interval ||
      calibration.corrections.size() <= model.network.steps() || !all_finite(std::span(calibration.corrections)))
    refuse_model("the calibration does not fit the network");
}

void check_early_exit(const model::Model& model) {
  const model::EarlyExit& early_exit = model.early_exit;
  if (early_exit == model::EarlyExit{}) return;
  const auto is_share = [](double value) { return value > 0.0 && value < 1.0; };
  const auto& tolerances = early_exit.tolerances;
  const std::size_t values = model.classes.empty() ? model.prediction_names().size() : 0;
  bool fits = model.method == model::Method::boosting && is_share(early_exit.disagreement) &&
              is_share(early_exit.confidence) && early_exit.differed <= early_exit.rows &&
              std::isfinite(early_exit.mean_units) && early_exit.mean_units >= 0.0 && tolerances.size() == values &&
              std::ranges::all_of(tolerances, usable_scale);
  std::size_t steps = 0;
  for (const model::Exit& exit : early_exit.exits) {
    fits = fits && exit.steps > steps && exit.steps < model.network.steps() && std::isfinite(exit.threshold);
    steps = exit.steps;
  }
  if (!fits) refuse_model("the early exit does not fit the network");
}

void check_inputs(const data::Encoder& encoder) {
  std::size_t levels = 0;
  for (const data::Input& input : encoder.inputs()) {
    const bool numeric = input.kind == data::Column::Kind::numeric;
    if (numeric && !input.levels.empty()) refuse_model(fmt::format("numeric input '{}' has levels", input.name));
    if (!std::isfinite(input.mean) || !usable_scale(input.scale))
      refuse_model(fmt::format("input '{}': its mean or scale is not finite, or the scale not positive", input.name));
    levels += input.levels.size() + input.format.missing.size() + (input.format == data::TextFormat{} ? 0 : 9);
  }
  // Half of the reader's limit, which also counts other values and brackets.
  if (levels + encoder.inputs().size() * 7 > json_value_limit / 2)
    refuse_model(
        fmt::format("{} inputs with {} levels exceed what a model file holds", encoder.inputs().size(), levels));
}

/// A grown model has no plain networks. Other models have no units and one plain network, or several of the same shape
/// (adaboost).
void check_members(const model::Model& model) {
  const auto& members = model.members;
  const bool grown = model.method == model::Method::boosting;
  if (grown && members.empty()) return;
  if (grown || members.empty() || model.network.units() > 0 ||
      (model.method == model::Method::network && members.size() > 1))
    refuse_model(fmt::format("method '{}' with {} units and {} plain networks", model::method_name(model.method),
                             model.network.units(), members.size()));
  const network::PlainShape& shape = members.front().network.shape;
  for (const model::Member& member : members) {
    const network::PlainNetwork& plain = member.network;
    if (plain.shape != shape || plain.parameters.size() != shape.size() ||
        plain.activation != model.network.activation() || shape.features() != model.network.features() ||
        shape.outputs() != model.network.outputs())
      refuse_model("the plain networks differ in shape");
    if (!all_finite(std::span<const float>(plain.parameters)))
      refuse_model("a weight of a plain network is not finite");
    if (!usable_scale(member.weight)) refuse_model("the weight of a network's vote must be positive");
  }
}

}  // namespace

void check_model(const model::Model& model) {
  check_outputs(model);
  check_loss(model);
  check_target_scale(model);
  check_calibration(model);
  check_early_exit(model);
  check_inputs(model.encoder);
  check_members(model);
  const network::Network& network = model.network;
  if (model.encoder.features() != network.features())
    refuse_model(
        fmt::format("the inputs have {} features, the network {}", model.encoder.features(), network.features()));
  if (!all_finite(network.hidden_weights()) || !all_finite(network.hidden_bias()) ||
      !all_finite(network.output_weights()) || !all_finite(network.prefix_bias()))
    refuse_model("a weight of the network is not finite");
}

}  // namespace accrete::io
