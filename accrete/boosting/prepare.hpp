#pragma once
// A fit on its way from table to model. The verbs fill it in order: read, split, choose, encode; train uses it.

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "accrete/boosting/choose/time_left.hpp"
#include "accrete/boosting/constraints.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/config/config.hpp"
#include "accrete/core/message.hpp"
#include "accrete/data/dataset.hpp"
#include "accrete/data/table.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

struct PreparedFit {
  model::Model model = {};  ///< without units, or the model to continue
  config::ResolvedConfig config = {};
  std::size_t outputs = 1;
  data::Dataset train = {};
  std::optional<data::Dataset> validation = {};
  std::optional<FeatureConstraints> constraints = {};  ///< of the features; unset: none
  std::shared_ptr<const loss::CustomLoss> custom_loss = {};
  std::size_t training_rows = 0;    ///< as given; `train` has fewer where equal rows were merged
  bool is_constant = false;         ///< no units: targets have one value, or held-out rows show no signal
  core::Message task_reason = {};   ///< why this task was chosen; empty if it was given
  core::Message units_reason = {};  ///< why config.units are chosen; empty if they were given
  std::vector<core::Message> notes = {};
  TimeLeft time = TimeLeft();  ///< clock of the fit
};

/// The ranks that share the rows of a fit: one process unless given.
inline comm::Communicator& ranks_of(const FitOptions& options) {
  return options.comm ? *options.comm : comm::one_process();
}

/// A fresh fit up to its first step, for a caller that takes the steps itself: settings chosen, rows encoded, a model
/// that predicts the start score. Throws as fit does.
PreparedFit prepare_fit(const data::Table& table, const FitOptions& options);

}  // namespace accrete::boosting
