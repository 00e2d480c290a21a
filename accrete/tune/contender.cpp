#include "accrete/tune/contender.hpp"

#include <fmt/format.h>

#include <chrono>

#include "accrete/baseline/fit.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/config/parameters.hpp"
#include "accrete/config/preset.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/version.hpp"
#include "accrete/tune/device_batch.hpp"
#include "accrete/tune/scores.hpp"
#include "accrete/tune/settings_text.hpp"

namespace accrete::tune {
namespace {

std::size_t units_of(const model::Model& model) {
  std::size_t units = model.network.units();
  for (const model::Member& member : model.members)
    for (std::size_t l = 0; l + 1 < member.network.shape.layers(); ++l) units += member.network.shape.outputs(l);
  return units;
}

}  // namespace

const std::vector<ContenderSetup>& contenders() {
  using enum model::Method;
  static const std::vector<ContenderSetup> all{
      {"accrete", "the boosted network with its default settings", boosting, "default", {}},
      {"paper", "the boosted network with the paper's settings", boosting, "paper", {}},
      {"adam", "a network of 100 units trained by Adam", network, "", {{"solver", "adam"}}},
      {"lbfgs", "a network of 100 units trained by L-BFGS", network, "", {{"solver", "lbfgs"}}},
      {"sgd", "a network of 100 units trained by SGD", network, "", {{"solver", "sgd"}}},
      {"deep",
       "three layers of 100 units trained by Adam",
       network,
       "",
       {{"hidden", "100,100,100"}, {"solver", "adam"}}},
      {"adaboost", "AdaBoost of 67 networks of 3 units", adaboost, "", {}},
  };
  return all;
}

std::string Contender::unsupported_reason(const data::Target& target) const {
  if (setup_.method != model::Method::adaboost || target.names.size() == 1) return "";
  return fmt::format("it predicts one target, not {}", target.names.size());
}

std::string Contender::canonical(const Setting& setting) const {
  const auto& [name, value] = setting;
  if (setup_.method == model::Method::boosting || name == "seed")
    throw core::UsageError(fmt::format("{} cannot be searched over: {} is compared as it is", name, setup_.name));
  const auto given = baseline::parse_settings(setup_.method, {{setting}});
  for (const auto& parameter : baseline::parameters(setup_.method))
    if (name == parameter.name) return get(given, parameter).value();
  return value;
}

Settings Contender::with(const Settings& settings) const {
  Settings all = setup_.settings;
  all.insert(all.end(), settings.begin(), settings.end());
  return all;
}

std::string Contender::text(const Settings& searched, std::size_t) const {
  std::string result = fmt::format("contender {} {}", name(), core::version());
  if (device_) result += fmt::format(" backend={}", device_->name());
  if (!weight_column_.empty()) result += fmt::format(" weight_column={}", weight_column_);
  const Settings settings =
      setup_.method == model::Method::boosting
          ? config::settings_of(config::configure(setup_.preset, task_, config::parse_settings(with(searched))))
          : baseline::settings_of(
                setup_.method,
                baseline::configure(setup_.method, baseline::parse_settings(setup_.method, with(searched))));
  return result + settings_text(settings);
}

boosting::FitOptions Contender::grown_options(const FitTask& task) const {
  boosting::FitOptions options;
  options.targets = task.problem.target.names;
  options.task = task_;
  options.preset = setup_.preset;
  options.config = config::parse_settings(with(task.settings));
  options.config.seed = task.seed;
  options.weight_column = weight_column_;
  return options;
}

std::optional<model::Model> Contender::make(const FitTask& task, core::Workers& one,
                                            const std::function<bool()>& stop) const {
  const auto go_on = [&] { return !stop || !stop(); };
  if (setup_.method == model::Method::boosting) {
    boosting::FitOptions options = grown_options(task);
    options.rows = task.split.train;
    options.workers = &one;
    options.choosing = [&](const boosting::TimeEstimate&) { return go_on(); };
    auto result = boosting::fit(task.problem.table, options, [&](const boosting::Progress&) { return go_on(); });
    if (!go_on()) return std::nullopt;
    return std::move(result.model);
  }
  baseline::FitOptions options;
  options.method = setup_.method;
  options.targets = task.problem.target.names;
  options.task = task_;
  options.config = baseline::parse_settings(setup_.method, with(task.settings));
  options.config.seed = task.seed;
  options.weight_column = weight_column_;
  options.rows = task.split.train;
  options.workers = &one;
  auto result = baseline::fit(task.problem.table, options, [&](const baseline::Progress&) { return go_on(); });
  if (result.stopped) return std::nullopt;
  return std::move(result.model);
}

std::optional<FitRecord> Contender::fit(const FitTask& task, const std::function<bool()>& stop) const {
  if (stop && stop()) return std::nullopt;
  const auto start = std::chrono::steady_clock::now();
  const auto so_far = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  core::Workers one(1);
  FitRecord record;
  try {
    const auto model = make(task, one, stop);
    if (!model) return std::nullopt;
    record.seconds = so_far();
    record.units = units_of(*model);
    record.prefixes.push_back(
        {task.units.back(),
         scores_of(task.problem, task.split.test, model::predict_rows(*model, task.problem.table, task.split.test, one),
                   model->point())});
  } catch (const core::Diverged&) {  // recorded as a failed fit
    record.seconds = so_far();
    record.prefixes.push_back({task.units.back(), no_scores(task_)});
  }
  return record;
}

bool Contender::fit_many(std::span<const FitTask> tasks, const std::function<void(std::size_t, FitRecord)>& done,
                         const std::function<bool()>& stop) const {
  const auto start = std::chrono::steady_clock::now();
  if (tasks.empty()) return true;
  DeviceBatch batch(tasks.front().problem.table, *device_);
  for (const FitTask& task : tasks) {
    boosting::FitOptions options = grown_options(task);
    options.workers = workers_;
    options.choosing = [&](const boosting::TimeEstimate&) { return !stop || !stop(); };
    batch.add(task.split, std::move(options), DeviceBatch::Scored::whole);
    if (stop && stop()) return false;
  }
  return run_tasks(batch, tasks, start, done, stop);
}

}  // namespace accrete::tune
