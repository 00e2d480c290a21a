#pragma once
// Third verb of a fit: choose alpha, bins and units on held-out rows where they are not given. All training rows are
// then fitted with the winner.
//
// The training rows are divided into five folds. As many of them are held out in turn as it takes to judge on
// `enough_held_out_rows` rows: all five if rows are few, one if they are many. Candidates are compared by successive
// halving (boosting/choose/halving.cpp).

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
inline constexpr std::size_t max_rows_to_choose = 50'000;  ///< of more rows a random subset is used
inline constexpr std::size_t enough_held_out_rows = 1'000;

/// Share of a time limit for choosing; the rest is for the fit of all rows.
inline constexpr double choosing_time_share = 0.4;

struct ChoiceTask {
  const TrainingTable& table;
  std::span<const std::size_t> rows;  ///< training rows
  const PreparedFit& fit;             ///< config, task, classes
  const FitOptions& options;
  core::Workers& workers;
  /// Called after steps with the seconds that the complete fit still takes; false ends the choosing.
  std::function<bool(double)> keep_going;
  std::function<bool()> is_out_of_time = {};  ///< asked within a step; true ends it
};

/// The best network that choosing has produced. It has seen all rows but one fold.
struct FallbackModel {
  model::Model model;
  Curves curves;
};

/// The parameters that may be chosen where they are not given.
std::span<const std::string_view> chosen_parameters();

struct ChosenSettings {
  config::ResolvedConfig config;
  model::ParameterChoice record = {};
  std::vector<double> held_out_loss = {};      ///< the winner's after 0, 1, 2, ... steps, in the target's units
  std::optional<FallbackModel> fallback = {};  ///< nothing if no step was finished
  core::Message units_reason = {};             ///< why config.units are chosen; empty if they were given
  bool was_stopped = false;                    ///< keep_going returned false
  bool is_of_sample = false;                   ///< chosen on a sample of the rows, which the fallback has seen
  bool is_constant_best = false;               ///< no network was better than the constant on held-out rows
};

/// Replaces the settings of fit.config that are not given, and records the choice in fit.model. A resumed fit takes the
/// settings of its checkpoint. Nothing if there is nothing to choose or there are too few rows.
std::optional<ChosenSettings> choose_settings(const TrainingTable& table, std::span<const std::size_t> training_rows,
                                              const FitOptions& options, core::Workers& workers,
                                              const Deadline& deadline, PreparedFit& fit);

}  // namespace accrete::boosting
