#pragma once
// Third stage of a fit: chooses alpha, bins and units on held-out rows where the caller did not give them; of a large
// table also feature_fraction and max_iter. The winner is then fitted on all training rows.
//
// The training rows are divided into five folds. Folds are held out in turn until at least `enough_held_out_rows` rows
// have been held out: all five folds for small tables, one for large tables. Candidates are compared by successive
// halving (boosting/choose/halving.cpp); the best one on a sample of a large table is then refined
// (boosting/choose/refinement.hpp).

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "accrete/boosting/deadline.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/read.hpp"
#include "accrete/boosting/train.hpp"
#include "accrete/config/config.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

inline constexpr std::size_t min_rows_to_choose = 40;      ///< with fewer rows the preset's values are used
inline constexpr std::size_t max_rows_to_choose = 50'000;  ///< larger tables are sampled at random
inline constexpr std::size_t enough_held_out_rows = 1'000;

/// Share of the time limit spent on choosing; the rest is for the final fit.
inline constexpr double choosing_time_share = 0.4;

struct ChoiceTask {
  const TrainingTable& table;
  std::span<const std::size_t> rows;  ///< training rows
  const PreparedFit& fit;             ///< config, task, classes
  const FitOptions& options;
  core::Workers& workers;
  /// Called after steps with the estimated seconds until the complete fit ends; false stops the search.
  std::function<bool(double)> keep_going;
  std::function<bool()> is_out_of_time = {};  ///< polled within a step; true stops the search
  /// keep_going is collective: it is called between steps only, at the same steps on all ranks.
  bool stops_between_steps = false;
};

/// The best network of the search. It was trained on all rows but one fold.
struct FallbackModel {
  model::Model model;
  Curves curves;
  double learning_rate;  ///< it was grown with
};

/// Names of the parameters that are chosen unless given.
std::span<const std::string_view> chosen_parameters();

struct ChosenSettings {
  config::ResolvedConfig config;
  model::ParameterChoice record = {};
  std::vector<double> held_out_loss = {};      ///< the winner's, after 0, 1, 2, ... steps, in the target's units
  std::optional<FallbackModel> fallback = {};  ///< unset if no step was finished
  core::Message units_reason = {};             ///< why config.units was chosen; empty if given
  bool was_stopped = false;                    ///< keep_going returned false
  bool is_of_sample = false;                   ///< chosen on a sample of the rows; the fallback was trained on it
  bool is_constant_best = false;               ///< no network beat the constant on the held-out rows
};

/// Fills the settings of fit.config that were not given and records the choice in fit.model. A resumed fit takes the
/// settings of its checkpoint. Returns nothing if every setting is given or there are too few rows.
std::optional<ChosenSettings> choose_settings(const TrainingTable& table, std::span<const std::size_t> training_rows,
                                              const FitOptions& options, core::Workers& workers,
                                              const Deadline& deadline, PreparedFit& fit);

}  // namespace accrete::boosting
