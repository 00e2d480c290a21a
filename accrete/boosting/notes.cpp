#include "accrete/boosting/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "accrete/boosting/prepare.hpp"

namespace accrete::boosting {

void note_units_left_out(Prepared& p) {
  const std::size_t there = p.model.network.units(), step = p.config.units_per_step;
  const std::size_t missing = p.config.units - std::min<std::size_t>(there, p.config.units);
  if (missing % step != 0)
    p.notes.push_back(fmt::format("{} {} is not a multiple of {} per step: growing {}", missing,
                                  there > 0 ? "more units" : "units", step, there + missing / step * step));
}

void find_constants(Prepared& p, const Rows& rows, const FitOptions& options) {
  if (p.model.task != data::Task::regression) return;
  const auto training = split_rows(p, rows, options).train;
  std::size_t found = 0;
  for (std::size_t c = 0; c < rows.targets.cols(); ++c)
    if (const auto constant = constant_of(rows.targets, c, training)) {
      ++found;
      p.notes.push_back(fmt::format("the target '{}' is {} in every row to train on", p.model.targets[c], *constant));
    }
  p.constant = found == rows.targets.cols();
  if (p.constant) p.notes.back() += ": the model has no units and always predicts that";
}

void note_no_descent(FitResult& result) {
  const auto& curve = result.model.provenance.train_loss;
  const double first = curve.front(), last = curve[result.model.network.steps()];
  if (result.model.network.steps() == 0 || last < first) return;
  const std::string flag =
      result.config.solver == "lbfgs" ? "--learning-rate" : "--learning-rate or another --solver-rate";
  result.notes.push_back(
      fmt::format("the training loss went from {:.5g} to {:.5g}: the model is no better than a constant{}", first, last,
                  last > first ? "; try a lower " + flag : ""));
}

}  // namespace accrete::boosting
