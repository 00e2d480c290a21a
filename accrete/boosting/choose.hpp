#pragma once
// What a fit is not told, it finds out: the penalty, the encoding of numbers and the length, on rows held out of the
// training rows. Then all of them are fitted with what was best.
//
// The rows are cut into five parts. As many of them are held out, one after the other, as it takes to judge on
// `enough_held_out` rows: all five where rows are few, one where they are many. All settings grow to the first rung;
// the better half goes on to the second, the best one as far as it improves. The network is as long as it can be
// without those rows telling the difference, or longer where they still gained at the last unit tried.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/load.hpp"
#include "accrete/data/table.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

inline constexpr std::size_t least_rows_to_choose = 40;     ///< with fewer, the preset's own values are taken
inline constexpr std::size_t most_rows_to_choose = 50'000;  ///< with more, a draw of so many is chosen on
inline constexpr std::size_t enough_held_out = 1'000;

struct ChoiceTask {
  const data::Table& table;
  std::span<const std::size_t> columns;
  std::span<const std::size_t> rows;    ///< to train on
  const core::Matrix<double>& targets;  ///< of every row of the table
  std::span<const double> weights;      ///< likewise
  const model::Model& base;             ///< task, loss, classes
  const Config& config;                 ///< what is not chosen
  std::span<const Setting> given;       ///< parameters that are not ours to choose
  std::size_t outputs;
  std::string backend;
  core::Workers& workers;
  /// Asked after steps with the steps done and about how many there will be; false ends the choosing.
  std::function<bool(std::size_t, std::size_t)> go_on;
  backend::ManyFits* machine = nullptr;  ///< does fits that are large enough to be worth it
};

/// The best network that choosing left behind: it has seen all rows but those of one part.
struct Stopgap {
  model::Model model;
  Curves curves;
};

struct Chosen {
  Config config;
  model::Choice record;
  std::vector<double> held_out;    ///< the winner's losses after 0, 1, 2, ... steps, in the target's units
  std::optional<Stopgap> stopgap;  ///< nothing when the first step was not reached
  bool ended = false;              ///< go_on said so
};

/// The settings that a checkpoint's fit had chosen, as far as they are not given.
void take_chosen(Config& config, const model::Provenance& made, std::span<const Setting> given);

/// Whether there is anything to choose, and rows enough to choose on.
bool has_choice(const Config& config, std::span<const Setting> given, std::size_t rows);

Chosen choose(const ChoiceTask& task);

}  // namespace accrete::boosting
