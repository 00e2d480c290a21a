#include "accrete/tune/boosted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "accrete/config/parameters.hpp"
#include "accrete/config/preset.hpp"
#include "accrete/config/used_parameters.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/version.hpp"
#include "accrete/model/offsets.hpp"
#include "accrete/model/staged_rows.hpp"
#include "accrete/network/forward.hpp"
#include "accrete/tune/scores.hpp"
#include "accrete/tune/settings_text.hpp"

namespace accrete::tune {
namespace {

/// Parameters that stop a fit early, after which its prefixes would differ from separate shorter fits.
constexpr std::string_view stops_early[] = {"auto", "validation_fraction", "patience", "metric", "time_limit"};

bool is_not_searched(std::string_view name) {
  return std::ranges::find(stops_early, name) != std::end(stops_early);
}

std::vector<PrefixScores> score_prefixes(const model::Model& model, const FitTask& task, core::Workers& one) {
  const auto& rows = task.split.test;
  const model::StagedRows features(model.encoder, task.problem.table, rows);
  const std::vector<double> offsets = offsets_of(model, task.problem.table, rows);
  std::vector<PrefixScores> prefixes;
  network::StagedForward forward(model.network, features.tiles(), one);
  for (const std::size_t units : task.units) {
    // A model of a constant target has no steps: every prefix predicts the constant.
    const std::size_t steps = model.network.steps() == 0 ? 0 : model.steps_for(units);
    while (forward.steps() < steps) forward.next();
    const auto predictions = model::apply_link(model, model::offset_scores(model, offsets, forward.scores()));
    prefixes.push_back({units, scores_of(task.problem, rows, predictions, model.point())});
  }
  return prefixes;
}

}  // namespace

Boosted::Boosted(boosting::FitOptions options, data::Task task, backend::FitDevice* device)
    : options_(std::move(options)), task_(task), device_(device) {
  const config::ResolvedConfig defaults;
  config::ResolvedConfig given = defaults;
  config::overwrite(given, options_.config);
  for (const auto& name : stops_early) {
    const config::Parameter& parameter = config::parameter_named(name);
    if (get(given, parameter) != get(defaults, parameter))
      throw core::UsageError(core::parameter(name, get(given, parameter)),
                             "not allowed in a search, whose fits grow all units; the search chooses how many to use");
  }
  options_.config.automatic = false;
  options_.task = task;  // the same task for all folds, even if one fold's rows suggest another
}

std::string Boosted::canonical(const Setting& setting) const {
  const auto& [name, text] = setting;
  const config::Parameter& parameter = config::parameter_named(name);
  if (name == "seed" || is_not_searched(name))
    throw core::UsageError(core::message("{} cannot be searched over", core::parameter(name)));
  return config::canonical(parameter, text);
}

boosting::FitOptions Boosted::options(const Settings& settings, std::size_t units) const {
  boosting::FitOptions options = options_;
  options.config = config::parse_settings(settings, options.config);
  config::drop_unused(options.config, settings);
  options.config.units = units;
  return options;
}

std::string Boosted::text(const Settings& settings, std::size_t units) const {
  const boosting::FitOptions all = options(settings, units);
  std::string result =
      fmt::format("{} {} backend={}", name(), core::version(), device_ ? device_->name() : all.backend);
  if (!all.weight_column.empty()) result += fmt::format(" weight_column={}", all.weight_column);
  if (!all.offset_column.empty()) result += fmt::format(" offset_column={}", all.offset_column);
  for (const std::string& column : all.ignore) result += fmt::format(" ignore={}", column);
  return result + settings_text(config::settings_of(config::configure(all.preset, task_, all.config)));
}

std::optional<FitRecord> Boosted::fit(const FitTask& task, const std::function<bool()>& stop) const {
  if (stop && stop()) return std::nullopt;
  const auto start = std::chrono::steady_clock::now();
  const auto so_far = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  core::Workers one(1);
  boosting::FitOptions all = options(task.settings, task.units.back());
  all.config.seed = task.seed;
  all.rows = task.split.train;
  all.workers = &one;
  FitRecord record;
  try {
    const auto result =
        boosting::fit(task.problem.table, all, [&](const boosting::Progress&) { return !stop || !stop(); });
    if (result.stop == boosting::Stop::observer) return std::nullopt;
    record.seconds = so_far();
    record.prefixes = score_prefixes(result.model, task, one);
    record.units = result.model.network.units();
  } catch (const core::Diverged&) {
    // Settings that diverge are recorded as a failed trial.
    record.seconds = so_far();
    for (const std::size_t units : task.units) record.prefixes.push_back({units, no_scores(task_)});
  }
  return record;
}

}  // namespace accrete::tune
