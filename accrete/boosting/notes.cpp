#include "accrete/boosting/notes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "accrete/boosting/target_scale.hpp"
#include "accrete/core/format_message.hpp"

namespace accrete::boosting {
namespace {

constexpr double min_learnt = 1e-3;  // share of the start's loss; a smaller drop counts as not having learnt anything

/// True if the choice tried values of this parameter.
bool is_chosen(const model::ParameterChoice& choice, std::string_view parameter) {
  const auto& trials = choice.trials;
  return !trials.empty() &&
         std::ranges::any_of(trials.front().parameters, [&](const auto& tried) { return tried.first == parameter; });
}

}  // namespace

void note_constant_targets(PreparedFit& fit, const core::Matrix<double>& targets,
                           std::span<const std::size_t> training_rows) {
  if (fit.model.task != data::Task::regression) return;
  std::size_t found = 0;
  for (std::size_t c = 0; c < targets.cols(); ++c)
    if (const auto constant = constant_value(targets, c, training_rows)) {
      ++found;
      fit.notes.push_back(
          core::message("the target '{}' is {} in every training row", fit.model.targets[c], *constant));
    }
  fit.is_constant = found == targets.cols();
  if (fit.is_constant) fit.notes.back() += ": the model has no units and always predicts that";
}

void note_nothing_learnt(PreparedFit& fit) {
  fit.is_constant = true;
  fit.notes.push_back(
      "no network is better than a constant on the held-out rows: the model has no units and predicts the same for "
      "every row");
}

void note_other_rows(PreparedFit& fit, bool was_calibrated) {
  core::Message note = was_calibrated
                           ? "the first fit of the model held out rows for calibration, so these are not the rows that "
                             "it was trained on"
                           : "the model was trained on other rows";
  note += ": its units stay unchanged, and only the new units fit these rows";
  fit.notes.push_back(std::move(note));
}

void note_no_units_kept(FitResult& result) {
  result.notes.push_back(
      "no network is better than a constant on the validation set: the model has no units and predicts the same for "
      "every row");
}

void note_dropped_units(PreparedFit& fit) {
  const std::size_t grown = fit.model.network.units(), step = fit.config.units_per_step;
  const std::size_t missing = fit.config.units - std::min<std::size_t>(grown, fit.config.units);
  if (missing % step != 0)
    fit.notes.push_back(core::message("{} cannot be reached in steps of {}: the network gets {} units",
                                      core::parameter("units", fit.config.units), step, grown + missing / step * step));
}

std::optional<core::Message> note_lost_digits(const data::Encoder& encoder, const data::Table& table) {
  const data::Input* first = nullptr;
  double first_spacing = 0.0;
  std::size_t count = 0;
  for (const auto& input : encoder.inputs()) {
    if (input.kind != data::Column::Kind::numeric) continue;
    const float size = std::abs(static_cast<float>(input.mean));
    const double spacing = static_cast<double>(std::nextafter(size, std::numeric_limits<float>::max())) - size;
    if (input.scale > 16.0 * spacing) {
      // A column whose numbers all became one float looks constant.
      const auto column = input.scale == data::no_spread ? table.find(input.name) : std::nullopt;
      if (!column || !table.columns[*column].merged) continue;
    }
    if (count++ > 0) continue;
    first = &input;
    first_spacing = spacing;
  }
  if (!first) return std::nullopt;
  return core::message(
      "column '{}'{} holds numbers near {:.3g}, kept to 7 digits: differences under {:.2g} are lost; if they matter, "
      "subtract a constant from the column first",
      first->name, count > 1 ? fmt::format(" (and {} more)", count - 1) : std::string(), first->mean, first_spacing);
}

void note_no_descent(FitResult& result, const config::Config& given) {
  const auto& curve = result.model.provenance.train_loss;
  const double first = curve.front(), last = curve[result.model.network.steps()];
  if (result.model.network.steps() == 0) return;
  // The penalty is alpha / rows, so from 1 on it outweighs the loss.
  const bool heavy = result.config.alpha >= static_cast<double>(result.model.provenance.training_rows);
  const bool is_little = first - last < min_learnt * std::abs(first);
  if (heavy ? !is_little : last < first) return;
  core::Message note = core::message(
      "the training loss went from {:.5g} to {:.5g}: the model is no better than a constant", first, last);
  if (heavy && !given.alpha && is_chosen(result.model.provenance.choice, "alpha")) {
    note += ", and no network is better than a constant on the held-out rows";
  } else if (heavy) {
    note += core::message("; {} is too large for {} rows, try a lower one",
                          core::parameter("alpha", result.config.alpha), result.model.provenance.training_rows);
  } else if (last > first) {
    note += core::message("; try a lower {}", core::parameter("learning_rate"));
    if (result.config.solver != "lbfgs") note += core::message(" or another {}", core::parameter("solver_rate"));
  }
  result.notes.push_back(std::move(note));
}

}  // namespace accrete::boosting
