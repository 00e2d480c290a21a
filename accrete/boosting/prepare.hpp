#pragma once
// A fit between table and model. The stages fill it in order (read, split, choose, encode); train uses it.

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
  model::Model model = {};  ///< without units, or the model to grow
  config::ResolvedConfig config = {};
  std::size_t outputs = 1;
  data::Dataset train = {};
  std::optional<data::Dataset> validation = {};
  std::optional<FeatureConstraints> constraints = {};  ///< on the features; unset: none
  std::shared_ptr<const loss::CustomLoss> custom_loss = {};
  std::size_t training_rows = 0;    ///< before equal rows were merged; `train` may have fewer
  bool is_constant = false;         ///< no units: the target is constant, or held-out rows show no signal
  core::Message task_reason = {};   ///< why this task was chosen; empty if it was given
  core::Message units_reason = {};  ///< why config.units was chosen; empty if given
  std::vector<core::Message> notes = {};
  TimeLeft time = TimeLeft();  ///< estimates progress and remaining time
};

/// The ranks that share the rows of a fit; a single process by default.
inline comm::Communicator& ranks_of(const FitOptions& options) {
  return options.comm ? *options.comm : comm::one_process();
}

/// A new fit just before its first step, for callers that take the steps themselves: settings chosen, rows encoded, and
/// a model that predicts the start score. Throws as fit does.
PreparedFit prepare_fit(const data::Table& table, const FitOptions& options);

}  // namespace accrete::boosting
