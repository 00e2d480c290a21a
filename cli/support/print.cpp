#include "cli/support/print.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <set>
#include <system_error>

#include "accrete/baseline/parameters.hpp"
#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/escape.hpp"
#include "accrete/core/row.hpp"
#include "accrete/data/table.hpp"
#include "accrete/metric/list.hpp"
#include "cli/support/interrupt.hpp"

namespace accrete::cli {
namespace {

bool is_silent = false;

[[noreturn]] void fail_output() {
  const int error = errno;
  throw OutputError{error == EPIPE, "cannot write to standard output: " + std::generic_category().message(error)};
}

/// Width in terminal columns: continuation bytes of UTF-8 have none.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string pad(const std::string& text, std::size_t width, bool right) {
  const std::string blanks(width - std::min(width, width_of(text)), ' ');
  return right ? blanks + text : text + blanks;
}

/// A value with the type of its field.
template <class Parameter>
Json typed(const Parameter& p, const std::string& text) {
  const auto holds = [&](auto type) {
    return std::holds_alternative<typename Parameter::template Field<typename decltype(type)::type>>(p.field);
  };
  if (holds(std::type_identity<bool>{})) return text == "on";
  if (holds(std::type_identity<std::vector<std::uint64_t>>{})) return Json::parse("[" + text + "]", nullptr, false);
  if (holds(std::type_identity<config::Monotone>{}) || holds(std::type_identity<config::Interactions>{}) ||
      holds(std::type_identity<config::ClassWeights>{}) || holds(std::type_identity<config::GroupWeights>{}))
    return text;
  const auto number = data::parse_number(text);
  if (holds(std::type_identity<std::string>{}) || !number) return text;
  if (holds(std::type_identity<double>{})) return *number;
  return static_cast<std::uint64_t>(*number);
}

/// A parameter has the same type in every method that has it.
Json parameter_json(const config::Setting& setting) {
  const auto& [name, text] = setting;
  for (const auto& p : config::parameters())
    if (name == p.name) return typed(p, text);
  for (const model::Method method : {model::Method::network, model::Method::adaboost})
    for (const auto& p : baseline::parameters(method))
      if (name == p.name) return typed(p, text);
  return text;
}

}  // namespace

void print(std::string_view text) {
  output_begins();
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail_output();
}

void finish_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) fail_output();
}

void print_json(const Json& object) {
  // A path may be invalid UTF-8.
  print(object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void note(const Common& common, const core::Message& message) {
  if (!common.quiet) print_error(message);
}

void silence_errors() {
  is_silent = true;
}

void print_error(const core::Message& message) {
  if (is_silent) return;
  // Clears a progress bar that may be on the line.
  const std::string clear = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
  const std::string line = clear + "accrete: " + render(message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

std::string render(const core::Message& message) {
  return message.render([](core::ParameterReference parameter) {
    constexpr core::RowNames rows{.word = "data row", .first = 1};  // excludes the header line
    if (const auto row = rows.name(parameter)) return *row;
    parameter.name = flag_of(parameter.name);
    return parameter.text();
  });
}

std::string flag_of(std::string_view parameter) {
  std::string flag = "--" + std::string(parameter);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

std::string show_inputs(const data::Encoder& encoder) {
  std::set<std::string_view> names;
  for (const data::Input& input : encoder.inputs())
    names.insert(input.format.is_date() ? input.format.column : input.name);
  std::string columns = core::counted(names.size(), "column");
  if (names.size() == encoder.features()) return columns;
  return fmt::format("{} as {}", columns, core::counted(encoder.features(), "feature"));
}

Json notes_json(const std::vector<core::Message>& notes) {
  Json list = Json::array();
  for (const core::Message& message : notes) list.push_back(render(message));
  return list;
}

std::string list_facts(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::size_t width = 0;
  for (const auto& fact : facts) width = std::max(width, width_of(fact.first));
  std::string text;
  for (const auto& [name, value] : facts) text += pad(name, width, false) + "  " + core::escape_controls(value) + "\n";
  return text;
}

std::string draw_table(std::vector<std::vector<std::string>> rows) {
  for (auto& row : rows) std::ranges::transform(row, row.begin(), core::escape_controls);
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  std::vector<bool> numbers(widths.size(), false);
  for (std::size_t c = 0; rows.size() > 1 && c < rows[1].size(); ++c)
    numbers[c] =
        !rows[1][c].empty() && (std::isdigit(static_cast<unsigned char>(rows[1][c][0])) || rows[1][c][0] == '-');
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) line += (c ? "  " : "") + pad(row[c], widths[c], numbers[c]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string show_number(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.5g}", value);
}

bool is_share(const std::string& metric) {
  return metric == "coverage" || (metric::All::contains(metric) && metric::Metric::named(metric).is_share());
}

std::string show_calibration(const model::Calibration& calibration) {
  return fmt::format("{}, calibrated on {}", calibration.coverage, core::counted(calibration.rows, "held-out row"));
}

std::string show_metric(const std::string& name, double value) {
  return is_share(name) && !std::isnan(value) ? fmt::format("{:.2f} %", 100.0 * value) : show_number(value);
}

std::string show_with_error(const std::string& metric, const tune::Summary& s) {
  return is_share(metric) ? fmt::format("{:.2f} ± {:.2f} %", 100.0 * s.mean, 100.0 * s.se)
                          : fmt::format("{} ± {:.2g}", show_number(s.mean), s.se);
}

Json summary_json(const tune::Summary& s) {
  return {{"mean", s.mean}, {"sd", s.sd}, {"se", s.se}};
}

std::optional<double> rmse_of(const model::Model& model, double loss) {
  if (std::string_view(model.loss.name()) != loss::Squared::name || model.targets.size() != 1) return std::nullopt;
  return std::sqrt(2.0 * loss);
}

std::string show_loss(const model::Model& model, double value) {
  const auto rmse = rmse_of(model, value);
  return fmt::format("{} {}{}", model.loss.name(), show_number(value),
                     rmse ? fmt::format(" (RMSE {})", show_number(*rmse)) : "");
}

std::string show_seconds(double seconds) {
  if (seconds < 60.0) return fmt::format("{:.{}f} s", seconds, seconds < 10.0 ? 2 : 0);
  const auto whole = static_cast<unsigned long long>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string show_task(data::Task task, const core::Message& reason) {
  return data::task_name(task) + (reason.empty() ? "" : ": " + render(reason));
}

std::string show_list(const std::vector<std::string>& items, std::size_t max_items) {
  std::string text;
  for (std::size_t i = 0; i < std::min(items.size(), max_items); ++i) text += (i ? ", " : "") + items[i];
  return items.size() > max_items ? fmt::format("{}, ... ({} in total)", text, items.size()) : text;
}

Json parameters_json(const std::vector<config::Setting>& settings) {
  Json object = Json::object();
  for (const auto& setting : settings) object[setting.first] = parameter_json(setting);
  return object;
}

std::string show_choice(const model::ParameterChoice& choice) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : choice.trials.front().parameters) parts.push_back(fmt::format("{} {}", name, value));
  return fmt::format("{}: best of {} on {} in {}", fmt::join(parts, ", "),
                     core::counted(choice.trials.size(), "setting"),
                     core::counted(choice.held_out_rows, "held-out row"), core::counted(choice.folds, "fold"));
}

std::optional<HeldOutLoss> held_out_loss(const model::Model& model) {
  const std::vector<double>& curve = model.provenance.validation_loss;
  if (curve.empty()) return std::nullopt;
  const std::size_t step = std::min(model.network.steps(), curve.size() - 1);
  return HeldOutLoss{curve[step], step};
}

std::string show_held_out(const model::Model& model, const HeldOutLoss& held_out) {
  std::string text = show_loss(model, held_out.loss);
  if (held_out.steps < model.network.steps())
    text += fmt::format(" after the first {}, as far as it was measured", core::counted(held_out.steps, "step"));
  return text;
}

Json choice_json(const model::ParameterChoice& choice) {
  Json json{{"parts", choice.folds}, {"held_out_rows", choice.held_out_rows}, {"trials", Json::array()}};
  for (const model::Trial& trial : choice.trials) {
    Json entry = parameters_json(trial.parameters);
    entry["best_units"] = trial.units;
    entry["loss"] = trial.loss;
    json["trials"].push_back(std::move(entry));
  }
  return json;
}

std::string show_networks(const model::Model& model) {
  const auto& network = model.members.front().network;
  const auto& widths = network.shape.widths();
  const std::vector<std::size_t> hidden(widths.begin() + 1, widths.end() - 1);
  std::string text =
      fmt::format("{} -> {} {} units -> {}", core::counted(network.shape.features(), "feature"),
                  fmt::join(hidden, ", "), network.activation.name(), core::counted(network.shape.outputs(), "output"));
  return model.method == model::Method::network ? text : fmt::format("{} of {}", model.members.size(), text);
}

std::size_t steps_for(const model::Model& model, std::size_t units, const Common& common) {
  const std::size_t steps = model.steps_for(units);
  const std::size_t used = model.network.units_after(steps);
  if (units != 0 && used != units) note(common, fmt::format("--units {} is between steps: using {}", units, used));
  return steps;
}

}  // namespace accrete::cli
