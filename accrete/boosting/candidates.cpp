#include "accrete/boosting/candidates.hpp"

#include <algorithm>
#include <span>

namespace accrete::boosting {
namespace {

struct CandidateSetting {
  double alpha;
  std::uint64_t bins;
  bool operator==(const CandidateSetting&) const = default;
};

constexpr std::uint64_t fine_bins = 128, fine_bins_max_iter = 40;  // more iterations gain nothing there

constexpr CandidateSetting for_classes[] = {{0.1, 0}, {1.0, 0}, {1.0, 8}, {10.0, 8}};
constexpr CandidateSetting for_regression[] = {{0.1, 0}, {1.0, 0}, {0.1, 8}, {1.0, 8}, {10.0, 8}};
constexpr CandidateSetting for_large_regression[] = {{0.1, 0}, {0.1, 8}, {1.0, 8}, {0.3, fine_bins}};
constexpr std::size_t min_large_rows = 4000;  // enough to fill the fine bins

constexpr std::uint64_t max_units_per_small_step = 2;  // below min_large_rows: more steps for the same units

// With bins a step has many features to choose from and draws a smaller share, except of one or two columns.
constexpr double binned_feature_share = 0.5;
constexpr std::size_t few_columns = 2;

constexpr std::size_t max_encoded_numbers = 100'000'000;  // bins that would make more are not tried

std::span<const CandidateSetting> settings_for(bool has_classes, std::size_t rows) {
  if (has_classes) return for_classes;
  if (rows < min_large_rows) return for_regression;
  return for_large_regression;
}

config::ResolvedConfig config_for(const CandidateSetting& setting, const ChoiceTask& task, std::size_t rows) {
  config::ResolvedConfig config = task.fit.config;
  const config::Config& given = task.options.config;
  config.alpha = setting.alpha;
  config.bins = setting.bins;
  if (rows < min_large_rows && !given.units_per_step)
    config.units_per_step = std::min(config.units_per_step, max_units_per_small_step);
  if (setting.bins > 0 && !task.fit.model.classes.empty() && task.table.columns.size() > few_columns &&
      !given.feature_fraction)
    config.feature_fraction *= binned_feature_share;
  if (setting.bins == fine_bins && !given.max_iter) config.max_iter = fine_bins_max_iter;
  return config;
}

}  // namespace

std::vector<config::ResolvedConfig> candidate_configs(const ChoiceTask& task, std::size_t rows) {
  const config::Config& given = task.options.config;
  const std::size_t columns = task.table.columns.size();
  std::vector<CandidateSetting> settings;
  for (CandidateSetting s : settings_for(!task.fit.model.classes.empty(), rows)) {
    if (given.alpha) s.alpha = task.fit.config.alpha;
    if (given.bins) s.bins = task.fit.config.bins;
    const bool can_bin = rows >= 2 * columns && rows * columns * (1 + s.bins) <= max_encoded_numbers;
    if (!given.bins && s.bins > 0 && !can_bin) continue;
    if (std::ranges::find(settings, s) == settings.end()) settings.push_back(s);
  }
  std::vector<config::ResolvedConfig> configs;
  for (const CandidateSetting& s : settings) configs.push_back(config_for(s, task, rows));
  return configs;
}

}  // namespace accrete::boosting
