#include "accrete/boosting/choose/candidates.hpp"

#include <algorithm>

namespace accrete::boosting {
namespace {

// Small tables, classification: bins expand a column to many features, so a step draws half of the usual share, unless
// there are few columns.
constexpr double binned_feature_share = 0.5;
constexpr std::size_t few_columns = 2;

constexpr double heavier_binned_alpha = 100.0;

constexpr std::size_t max_encoded_numbers = 100'000'000;  // small tables: bins that encode to more are not tried

config::ResolvedConfig config_for(const CandidateSetting& setting, const ChoiceTask& task, const SearchPlan& plan) {
  config::ResolvedConfig config = plan.config;
  config.alpha = setting.alpha;
  config.bins = setting.bins;
  if (setting.bins == 0 || task.options.config.feature_fraction) return config;
  const std::size_t columns = task.table.columns.size();
  if (!plan.is_large && columns > few_columns && !task.fit.model.classes.empty())
    config.feature_fraction *= binned_feature_share;
  return config;
}

}  // namespace

std::vector<config::ResolvedConfig> candidate_configs(const ChoiceTask& task, const SearchPlan& plan,
                                                      std::size_t rows) {
  const config::Config& given = task.options.config;
  const std::size_t columns = task.table.columns.size();
  std::vector<CandidateSetting> settings;
  for (CandidateSetting s : plan.settings) {
    if (given.alpha) s.alpha = task.fit.config.alpha;
    if (given.bins) s.bins = task.fit.config.bins;
    const bool can_bin = rows >= 2 * columns && (plan.is_large || rows * columns * (1 + s.bins) <= max_encoded_numbers);
    if (!given.bins && s.bins > 0 && !can_bin) continue;
    if (std::ranges::find(settings, s) == settings.end()) settings.push_back(s);
  }
  std::vector<config::ResolvedConfig> configs;
  configs.reserve(settings.size());
  for (const CandidateSetting& s : settings) configs.push_back(config_for(s, task, plan));
  return configs;
}

std::vector<config::ResolvedConfig> heavier_binned_configs(const ChoiceTask& task, const SearchPlan& plan,
                                                           std::size_t rows) {
  if (task.options.config.alpha) return {};
  std::vector<config::ResolvedConfig> configs = candidate_configs(task, plan, rows);
  std::erase_if(configs, [](const config::ResolvedConfig& c) { return c.bins == 0; });
  for (config::ResolvedConfig& c : configs) c.alpha = heavier_binned_alpha;
  return configs;
}

std::vector<config::ResolvedConfig> heavier_configs(const ChoiceTask& task, const SearchPlan& plan) {
  const config::Config& given = task.options.config;
  std::vector<config::ResolvedConfig> configs;
  if (given.alpha) return configs;
  const std::uint64_t bins = given.bins ? task.fit.config.bins : 0;
  for (const double alpha : plan.heavier_alphas) configs.push_back(config_for({alpha, bins}, task, plan));
  return configs;
}

}  // namespace accrete::boosting
