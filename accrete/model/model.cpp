#include "accrete/model/model.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "accrete/core/error.hpp"
#include "accrete/model/link.hpp"
#include "accrete/model/plain.hpp"

namespace accrete::model {
namespace {

/// The value of the parameter `units` if the network is less than one step short of it, otherwise 0.
std::size_t requested_units(const Model& model) {
  const std::size_t units = model.network.units(), steps = model.network.steps();
  if (steps == 0) return 0;
  const std::size_t last_step = units - model.network.units_after(steps - 1);
  for (const auto& [name, value] : model.provenance.parameters) {
    const auto requested = name == "units" ? data::parse_number(value) : std::nullopt;
    if (requested && *requested > 0.0 && *requested < static_cast<double>(units + last_step))
      return static_cast<std::size_t>(*requested);
  }
  return 0;
}

/// "3, 6, 9, ... 198"
std::string list_prefixes(const network::Network& network) {
  constexpr std::size_t shown = 3;
  const std::size_t steps = network.steps();
  std::string text;
  for (std::size_t s = 1; s <= std::min(steps, shown); ++s)
    text += (s > 1 ? ", " : "") + std::to_string(network.units_after(s));
  if (steps > shown) text += fmt::format(", ... {}", network.units());
  return text;
}

}  // namespace

std::size_t Model::steps_for(std::size_t units) const {
  if (units == 0) return network.steps();
  require_dial(*this);
  const auto asked = [&] {
    return units == 1 ? std::string("1 unit requested") : fmt::format("{} units requested", units);
  };
  if (units > max_units()) throw core::UsageError(fmt::format("{}; the model has {}", asked(), network.units()));
  const std::size_t steps = network.steps_within(units);
  if (steps == 0)
    throw core::UsageError(fmt::format("{}; the model's first step already has {}; use {}", asked(),
                                       network.units_after(1), list_prefixes(network)));
  return steps;
}

std::size_t Model::units_after(std::size_t steps) const {
  std::size_t units = network.units_after(steps);
  for (const Member& member : members) units += member.network.shape.hidden_units();
  return units;
}

std::size_t Model::max_units() const {
  return std::max(network.units(), requested_units(*this));
}

metric::PointPrediction Model::point() const {
  const auto levels = loss.quantiles();
  if (levels.empty()) return {loss.settings.quantile};
  const auto nearest = std::ranges::min_element(levels, {}, [](double level) { return std::abs(level - 0.5); });
  return {*nearest, static_cast<std::size_t>(nearest - levels.begin())};
}

std::vector<std::string> Model::prediction_names() const {
  if (loss.quantiles().empty()) return classes.empty() ? targets : classes;
  std::vector<std::string> names;
  for (const double level : loss.quantiles()) names.push_back(fmt::format("q{}", level));
  return names;
}

void Model::truncate(std::size_t steps) {
  if (steps < network.steps()) early_exit = {};
  network.truncate(steps);
}

core::Matrix<double> apply_link(const Model& model, core::MatrixView<const double> scores) {
  check_link(model, scores.cols);
  core::Matrix<double> result(scores.rows, predictions_per_row(model));
  for (std::size_t r = 0; r < scores.rows; ++r) link_row(model, scores.row(r), result.row(r));
  return result;
}

std::size_t best_class(std::span<const double> probabilities) {
  return static_cast<std::size_t>(std::max_element(probabilities.begin(), probabilities.end()) - probabilities.begin());
}

}  // namespace accrete::model
