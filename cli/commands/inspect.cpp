// accrete inspect: describes a model file.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "accrete/core/counted.hpp"
#include "accrete/data/recognise/date_text.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/io/model_file/format.hpp"
#include "cli/commands.hpp"
#include "cli/support/early_exit.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {
namespace {

const char* kind_name(const data::Input& input) {
  return input.kind == data::Column::Kind::numeric ? "numeric" : "text";
}

/// True if the validation loss after that many steps is known; a network may be longer than its candidates were.
bool has_validation(const model::Model& model, std::size_t steps = 0) {
  return steps < model.provenance.validation_loss.size();
}

bool is_grown(const model::Model& model) {
  return model.method == model::Method::boosting;
}

/// What a point of a plain model's curve stands for.
const char* curve_step(const model::Model& model) {
  if (model.method == model::Method::adaboost) return "network";
  const auto& parameters = model.provenance.parameters;
  return std::ranges::find(parameters, config::Setting("solver", "lbfgs")) == parameters.end() ? "epoch" : "iteration";
}

/// AdaBoost stores the weighted error of each network.
const char* curve_value(const model::Model& model) {
  return model.method == model::Method::adaboost ? "weighted_error" : "train_loss";
}

/// The curve may be longer than the network: early stopping keeps the losses of removed steps.
std::size_t curve_points(const model::Model& model) {
  if (!is_grown(model)) return model.provenance.train_loss.size();
  return std::min(model.provenance.train_loss.size(), model.network.steps() + 1);
}

Json inspect_json(const model::Model& model, const std::string& path, std::uintmax_t bytes) {
  Json inputs = Json::array(), curve = Json::array();
  for (std::size_t i = 0; i < model.encoder.inputs().size(); ++i) {
    const data::Input& input = model.encoder.inputs()[i];
    inputs.push_back({{"name", input.name},
                      {"kind", kind_name(input)},
                      {"levels", input.levels.size()},
                      {"bins", input.bins()},
                      {"missing_indicator", input.gap_flag},
                      {"features", model.encoder.columns()[i].width()}});
    if (input.format != data::TextFormat{}) inputs.back()["format"] = io::describe_format(input.format);
  }
  for (std::size_t s = 0; s < curve_points(model); ++s) {
    const double loss = model.provenance.train_loss[s];
    if (is_grown(model))
      curve.push_back({{"units", model.network.units_after(s)}, {"train_loss", loss}});
    else
      curve.push_back({{curve_step(model), s + 1}, {curve_value(model), loss}});
    if (has_validation(model, s)) curve.back()["validation_loss"] = model.provenance.validation_loss[s];
  }
  Json members = Json::array();
  for (const model::Member& member : model.members)
    members.push_back({{"widths", member.network.shape.widths()}, {"weight", member.weight}});
  return {{"model", path},
          {"bytes", bytes},
          {"version", model.provenance.version},
          {"method", model::method_name(model.method)},
          {"task", data::task_name(model.task)},
          {"targets", model.targets},
          {"classes", model.classes},
          {"offset_column", model.offset_column.empty() ? Json() : Json(model.offset_column)},
          {"inputs", inputs},
          {"features", model.encoder.features()},
          {"units", model.units_after(model.network.steps())},
          {"steps", model.network.steps()},
          {"networks", members},
          {"activation", model.network.activation().name()},
          {"loss", model.loss.name()},
          {"early_exit", early_exit_json(model)},
          {"training_rows", model.provenance.training_rows},
          {"parameters", parameters_json(model.provenance.parameters)},
          {"choice", choice_json(model.provenance.choice)},
          {"curve", curve}};
}

std::string inputs_table(const model::Model& model) {
  constexpr std::size_t max_inputs = 30;
  std::vector<std::vector<std::string>> rows{{"input", "kind", "features"}};
  const auto& inputs = model.encoder.inputs();
  for (std::size_t i = 0; i < std::min(inputs.size(), max_inputs); ++i) {
    std::string kind = kind_name(inputs[i]);
    const data::TextFormat& format = inputs[i].format;
    if (format.is_date())
      kind += fmt::format(", {} of '{}'", data::date_part_name(format.part), format.column);
    else if (format.needs_text())
      kind += ", from text";
    if (!inputs[i].levels.empty()) kind += fmt::format(", {} levels", inputs[i].levels.size());
    if (inputs[i].bins() > 0) kind += fmt::format(", {} bins", inputs[i].bins());
    if (inputs[i].gap_flag) kind += ", gap flag";
    rows.push_back({inputs[i].name, kind, std::to_string(model.encoder.columns()[i].width())});
  }
  return draw_table(rows) + (inputs.size() > max_inputs ? fmt::format("... {} inputs in total\n", inputs.size()) : "");
}

/// About ten points, including the first and the last.
std::string curve_table(const model::Model& model) {
  constexpr std::size_t pieces = 10;
  std::vector<std::vector<std::string>> rows{{"units", "training loss"}};
  if (!is_grown(model))
    rows[0] = {curve_step(model), model.method == model::Method::adaboost ? "weighted error" : "training loss"};
  if (has_validation(model)) rows[0].push_back("held-out loss");
  const std::size_t last = curve_points(model) - 1;
  for (std::size_t i = 0; i <= std::min(pieces, last); ++i) {
    const std::size_t s = last <= pieces ? i : last * i / pieces;
    const std::size_t at = is_grown(model) ? model.network.units_after(s) : s + 1;
    rows.push_back({std::to_string(at), show_number(model.provenance.train_loss[s])});
    if (has_validation(model))
      rows.back().push_back(has_validation(model, s) ? show_number(model.provenance.validation_loss[s]) : "-");
  }
  return draw_table(rows);
}

std::string show_grown(const model::Model& model) {
  const network::Network& network = model.network;
  return fmt::format("{} -> {} in {} -> {}", core::counted(network.features(), "feature"),
                     core::counted(network.units(), network.activation().name() + std::string(" unit")),
                     core::counted(network.steps(), "step"), core::counted(network.outputs(), "output"));
}

std::string inspect_text(const model::Model& model, const std::string& path, std::uintmax_t bytes) {
  std::vector<std::pair<std::string, std::string>> facts{
      {"model", fmt::format("{}, {} bytes, made by accrete {}", path, bytes, model.provenance.version)},
      {"task", data::task_name(model.task)},
      {model.targets.size() == 1 ? "target" : "targets", show_list(model.targets)}};
  if (!model.classes.empty()) facts.emplace_back("classes", show_list(model.classes));
  if (!model.offset_column.empty()) facts.emplace_back("offset", model.offset_column);
  facts.emplace_back("method", model::method_name(model.method));
  facts.emplace_back("network", is_grown(model) ? show_grown(model) : show_networks(model));
  facts.emplace_back("loss", model.loss.name());
  facts.emplace_back("trained on", core::counted(model.provenance.training_rows, "row"));
  if (model.calibration.coverage > 0.0) facts.emplace_back("interval", show_calibration(model.calibration));
  if (model.early_exit.disagreement > 0.0) facts.emplace_back("early exit", show_early_exit(model));
  if (!model.provenance.choice.trials.empty()) facts.emplace_back("chosen", show_choice(model.provenance.choice));
  std::string text = list_facts(facts) + "\n" + inputs_table(model);
  if (curve_points(model) > 0) text += "\n" + curve_table(model);
  text += "\nparameters\n";
  for (const auto& [name, value] : model.provenance.parameters) text += fmt::format("  {} = {}\n", name, value);
  return text;
}

}  // namespace

Run add_inspect(CLI::App& app, const Common& common) {
  auto path = std::make_shared<std::string>();
  app.add_option("model", *path, "model file")->required()->type_name("MODEL");
  return [path, &common] {
    const model::Model model = io::load_model(*path);
    const std::uintmax_t bytes = std::filesystem::file_size(*path);
    common.json ? print_json(inspect_json(model, *path, bytes)) : print(inspect_text(model, *path, bytes));
  };
}

}  // namespace accrete::cli
