#include "accrete/tune/boosted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "accrete/boosting/preset.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/version.hpp"
#include "accrete/network/forward.hpp"
#include "accrete/tune/scores.hpp"

namespace accrete::tune {
namespace {

/// These end a fit by something else than its units, and its prefixes would not be what separate fits give.
constexpr std::string_view not_searched[] = {"auto", "validation_fraction", "patience", "time_limit"};

bool is_not_searched(std::string_view name) {
  return std::ranges::find(not_searched, name) != std::end(not_searched);
}

std::vector<PrefixScores> score_prefixes(const model::Model& model, const FitTask& task, core::Workers& one) {
  const auto& rows = task.split.test;
  const core::TiledMatrix features = model.encoder.encode(task.problem.table, rows);
  std::vector<PrefixScores> prefixes;
  network::StagedForward forward(model.network, features, one);
  for (const std::size_t units : task.units) {
    // A constant target has no steps, and any number of units of it is that constant.
    const std::size_t steps = model.network.steps() == 0 ? 0 : model.steps_for(units);
    while (forward.steps() < steps) forward.next();
    prefixes.push_back({units, scores_of(task.problem, rows, model::apply_link(model, forward.scores()))});
  }
  return prefixes;
}

}  // namespace

Boosted::Boosted(boosting::FitOptions options, data::Task task, backend::ManyFits* machine)
    : options_(std::move(options)), task_(task), machine_(machine) {
  for (const auto& [name, text] : options_.overrides) {
    const boosting::Parameter& parameter = boosting::parameter_named(name);
    boosting::Config config;
    boosting::set(config, parameter, text);
    const bool is_off = boosting::get(config, parameter) == boosting::get({}, parameter);
    if (is_not_searched(name) && !is_off)
      throw core::UsageError(fmt::format("{} {}: the fits of a search have all their units, and it chooses among them",
                                         parameter.flag(), text));
  }
  options_.overrides.emplace_back("auto", "off");
  options_.task = task;  // one for all folds, whatever some of the rows would suggest
}

std::string Boosted::canonical(const Setting& setting) const {
  const auto& [name, text] = setting;
  const boosting::Parameter& parameter = boosting::parameter_named(name);
  if (name == "seed" || is_not_searched(name))
    throw core::UsageError(fmt::format("{} cannot be searched over", parameter.flag()));
  boosting::Config config;
  boosting::set(config, parameter, text);
  return boosting::get(config, parameter);
}

boosting::FitOptions Boosted::options(const Settings& settings, std::size_t units) const {
  boosting::FitOptions options = options_;
  options.overrides.insert(options.overrides.end(), settings.begin(), settings.end());
  options.overrides.emplace_back("units", std::to_string(units));
  return options;
}

std::string Boosted::text(const Settings& settings, std::size_t units) const {
  const boosting::FitOptions all = options(settings, units);
  std::string result =
      fmt::format("{} {} backend={}", name(), core::version(), machine_ ? machine_->name() : all.backend);
  if (!all.weight_column.empty()) result += fmt::format(" weight_column={}", all.weight_column);
  for (const auto& [key, value] : boosting::settings_of(boosting::configure(all.preset, task_, all.overrides)))
    if (key != "seed") result += fmt::format(" {}={}", key, value);
  return result;
}

std::optional<FitRecord> Boosted::fit(const FitTask& task, const std::function<bool()>& stop) const {
  if (stop && stop()) return std::nullopt;
  const auto start = std::chrono::steady_clock::now();
  const auto so_far = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  core::Workers one(1);
  boosting::FitOptions all = options(task.settings, task.units.back());
  all.overrides.emplace_back("seed", std::to_string(task.seed));
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
    // A setting that does not work is an answer, too.
    record.seconds = so_far();
    for (const std::size_t units : task.units) record.prefixes.push_back({units, no_scores(task_)});
  }
  return record;
}

}  // namespace accrete::tune
