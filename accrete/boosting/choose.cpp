#include "accrete/boosting/choose.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "accrete/boosting/choose/halving.hpp"
#include "accrete/boosting/notes.hpp"
#include "accrete/config/parameters.hpp"

namespace accrete::boosting {
namespace {

constexpr std::string_view chosen_names[] = {
    "alpha",         "bins",       "units",      "units_per_step", "feature_fraction",
    "learning_rate", "first_rate", "activation", "max_iter"};

/// True if alpha, bins or units are left to choose and there are enough rows to choose on.
bool has_choice(const config::ResolvedConfig& config, const config::Config& given, std::size_t rows) {
  const bool all_given = given.alpha && given.bins && given.units;
  return config.automatic && !all_given && rows >= min_rows_to_choose;
}

/// Takes over the settings that the checkpoint's fit chose, except those that are given.
void take_chosen(config::ResolvedConfig& config, const model::Provenance& made, const config::Config& given) {
  const auto is_open = [&](const std::string& name) {
    return std::ranges::find(chosen_names, name) != std::end(chosen_names) &&
           !get(given, config::parameter_named(name));
  };
  std::vector<config::Setting> chosen;
  std::ranges::copy_if(made.parameters, std::back_inserter(chosen), is_open, &config::Setting::first);
  config::overwrite(config, config::parse_settings(chosen));
}

}  // namespace

std::span<const std::string_view> chosen_parameters() {
  return chosen_names;
}

std::optional<ChosenSettings> choose_settings(const TrainingTable& table, std::span<const std::size_t> training_rows,
                                              const FitOptions& options, core::Workers& workers,
                                              const Deadline& deadline, PreparedFit& fit) {
  if (fit.is_constant) return std::nullopt;
  if (options.resume) {
    if (fit.config.automatic) take_chosen(fit.config, options.resume->provenance, options.config);
    return std::nullopt;
  }
  if (!has_choice(fit.config, options.config, training_rows.size())) return std::nullopt;
  const auto keep_going = [&](double seconds_left) {
    const TimeEstimate time = fit.time.with_seconds_left(seconds_left);
    return !deadline.has_passed(choosing_time_share) && (!options.choosing || options.choosing(time));
  };
  ChoiceTask task{.table = table,
                  .rows = training_rows,
                  .fit = fit,
                  .options = options,
                  .workers = workers,
                  .keep_going = keep_going};
  // Every rank chooses for itself; the clock of rank 0 ends the choice of all of them at the same step.
  task.stops_between_steps = fit.config.time_limit > 0.0 && ranks_of(options).size() > 1;
  if (!task.stops_between_steps) task.is_out_of_time = [&] { return deadline.has_passed(choosing_time_share); };
  ChosenSettings chosen = run_successive_halving(task);
  const std::uint64_t units = fit.config.units;
  fit.config = chosen.config;
  if (chosen.is_constant_best) note_nothing_learnt(fit);
  const bool has_validation_set = options.validation || fit.config.validation_fraction > 0.0;
  if (has_validation_set)
    fit.config.units = units;  // early stopping on the validation set decides the length
  else
    fit.units_reason = chosen.units_reason;
  fit.model.provenance.choice = chosen.record;
  fit.model.provenance.validation_loss = chosen.held_out_loss;
  return chosen;
}

}  // namespace accrete::boosting
