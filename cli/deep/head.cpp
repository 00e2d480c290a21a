#include "cli/deep/head.hpp"

#include <algorithm>
#include <set>

#include "accrete/config/wide_features.hpp"

namespace accrete::cli {
namespace {

constexpr std::uint64_t default_units = 500;

/// Rows, features, and classes among the rows of a table whose last column is the target.
config::FeatureShape shape_of(const data::Table& table, std::optional<data::Task> task) {
  const data::Column& target = table.columns.back();
  std::size_t classes = 0;
  if (task != data::Task::regression) classes = std::set(target.codes.begin(), target.codes.end()).size();
  return {table.rows(), table.columns.size() - 1, classes};
}

/// Whether the fit lowered its training loss, or was stopped before that can be known.
bool is_done(const boosting::FitResult& result) {
  const auto& curve = result.model.provenance.train_loss;
  const std::size_t known = std::min(curve.size(), result.model.network.steps() + 1);
  return result.stop == boosting::Stop::observer || config::has_learned({curve.data(), known});
}

}  // namespace

boosting::FitOptions given_head_options(const GivenParameters& given, const std::string& preset, data::Task task) {
  boosting::FitOptions options;
  options.task = task;
  options.preset = preset;
  options.config = given_config(given);
  if (!options.config.automatic) options.config.automatic = false;
  if (!options.config.units) options.config.units = default_units;
  return options;
}

HeadOptions head_options(boosting::FitOptions options, const data::Table& features, const tune::Grid& grid) {
  if (grid.find("solver")) return {std::move(options)};
  const bool is_alpha_open = !options.config.alpha && !grid.find("alpha");
  const config::Config given = options.config;
  config::Config smallest = given;
  if (!grid.units.empty()) smallest.units = grid.units.front();
  options.config = config::for_wide_features(smallest, options.preset, shape_of(features, options.task));
  options.config.units = given.units;
  const bool is_alpha_chosen = is_alpha_open && options.config.alpha.has_value();
  return {std::move(options), is_alpha_chosen};
}

void resume_head(HeadOptions& options, const model::Model& checkpoint) {
  options.fit.resume = &checkpoint;
  if (!options.may_lower_alpha) return;
  const auto& settings = checkpoint.provenance.parameters;
  const auto recorded = std::ranges::find(settings, "alpha", &config::Setting::first);
  if (recorded == settings.end()) return;
  const auto alpha = config::parse_settings({&*recorded, 1}).alpha;
  double halved = *options.fit.config.alpha;
  for (int fit = 0; fit < config::max_penalty_fits; ++fit, halved /= 2)
    if (alpha == halved) options.fit.config.alpha = halved;
}

boosting::FitResult fit_head(const data::Table& features, HeadOptions options, const boosting::Observer& observer) {
  boosting::FitResult result = boosting::fit(features, options.fit, observer);
  if (!options.may_lower_alpha) return result;
  for (int fits = 1; fits < config::max_penalty_fits && !is_done(result); ++fits) {
    options.fit.config.alpha = *options.fit.config.alpha / 2;
    options.fit.resume = nullptr;
    result = boosting::fit(features, options.fit, observer);
  }
  return result;
}

}  // namespace accrete::cli
