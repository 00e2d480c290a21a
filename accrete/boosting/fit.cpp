#include "accrete/boosting/fit.hpp"

#include <utility>

#include "accrete/boosting/calibrate/calibrated_fit.hpp"
#include "accrete/boosting/choose.hpp"
#include "accrete/boosting/choose/growth_config.hpp"
#include "accrete/boosting/deadline.hpp"
#include "accrete/boosting/encode.hpp"
#include "accrete/boosting/fit_shared.hpp"
#include "accrete/boosting/notes.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/read.hpp"
#include "accrete/boosting/rows/row_weights.hpp"
#include "accrete/boosting/split.hpp"
#include "accrete/boosting/train_model.hpp"
#include "accrete/config/parameters.hpp"
#include "accrete/config/preset.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/data/encoder/encode_sparse.hpp"
#include "accrete/model/plain.hpp"

namespace accrete::boosting {
namespace {

/// Checked before choosing, which takes long.
void check_device(const FitOptions& options, const data::Table& table, const PreparedFit& fit) {
  if (!options.device) return;
  const auto refuse = [&](const core::Message& reason) {
    throw core::UsageError(core::parameter("device", options.device->name()),
                           core::message("{}; use {}", reason, core::parameter("device", "cpu")));
  };
  if (!options.offset_column.empty() || !fit.model.offset_column.empty())
    refuse(core::message("fits with {} run on the CPU only", core::parameter("offset_column")));
  if (data::has_sparse_columns(table)) refuse("fits of sparse columns run on the CPU only");
  if (const auto reason = options.device->unsupported_reason(fit.config, fit.outputs); !reason.empty()) refuse(reason);
}

network::Network make_start_network(const PreparedFit& fit, const FitOptions& options, core::Workers& workers) {
  return start_network({.config = fit.config,
                        .data = fit.train,
                        .outputs = fit.outputs,
                        .backend = options.backend,
                        .workers = workers,
                        .custom_loss = fit.custom_loss});
}

/// Returns the checkpoint if it belongs to this fit, and throws otherwise.
const model::Model& checked_checkpoint(const model::Model& checkpoint, const PreparedFit& fit) {
  const auto refuse = [](const char* what) {
    throw core::UsageError(
        core::message("the checkpoint was written {}; start without {}", what, core::parameter("resume")));
  };
  if (checkpoint.provenance.parameters != config::settings_of(fit.config)) refuse("with other parameters");
  if (checkpoint.provenance.data_fingerprint != fit.model.provenance.data_fingerprint)
    refuse("from other training rows");
  return checkpoint;
}

/// Encodes both sets and keeps the features of the rows that this rank trains on.
void encode_for_ranks(TrainingTable table, data::Split split, const FitOptions& options, core::Workers& workers,
                      PreparedFit& fit) {
  encode_rows(std::move(table), std::move(split), options, workers, fit);
  keep_own_rows(fit.train, ranks_of(options));
  if (fit.validation) keep_own_rows(*fit.validation, ranks_of(options));
  fit.model.provenance.data_fingerprint = fingerprint(fit.train, ranks_of(options));
}

/// All stages but calibration.
FitResult run_stages(data::ConsumableTable source, const FitOptions& options, const Observer& observer,
                     const SharedTable* shared) {
  const FitWorkers workers(options.workers);
  PreparedFit fit;
  TrainingTable table = read_table(source, options, fit);
  table.shared = shared;
  check_device(options, source.table, fit);
  const Deadline deadline(fit.config.time_limit, ranks_of(options));
  fit.time = TimeLeft(fit.config.time_limit);
  data::Split split = split_rows(table, options, fit);
  weigh_rows(table, split.train, fit);
  if (table.offsets.empty()) note_constant_targets(fit, table.targets, split.train);
  const auto chosen = choose_settings(table, split.train, options, workers.get(), deadline, fit);
  const bool stopped_by_user = chosen && chosen->was_stopped && !deadline.has_passed(choosing_time_share);
  if (stopped_by_user && chosen->fallback) return fallback_result(fit, *chosen, Stop::observer);
  encode_for_ranks(std::move(table), std::move(split), options, workers.get(), fit);
  if (options.resume)
    fit.model = checked_checkpoint(*options.resume, fit);
  else
    fit.model.network = make_start_network(fit, options, workers.get());
  FitResult result = train_model(fit, options, workers.get(), deadline, observer);
  if (result.stop == Stop::time && chosen && chosen->fallback && is_fallback_better(*chosen, result))
    return fallback_result(fit, *chosen, Stop::time);
  return result;
}

FitResult fit_table(data::ConsumableTable source, const FitOptions& options, const Observer& observer) {
  if (ranks_of(options).size() > 1) return fit_shared(source, options, observer);
  return run_fit(source, options, observer);
}

FitResult grow_table(const model::Model& model, data::ConsumableTable source, const FitOptions& options,
                     const Observer& observer) {
  model::require_grown(model, "grow");
  if (ranks_of(options).size() > 1) return grow_shared(model, source, options, observer);
  return run_grow(model, source, options, observer);
}

}  // namespace

FitResult run_fit(data::ConsumableTable source, const FitOptions& options, const Observer& observer,
                  const SharedTable* shared) {
  if (!wants_calibration(options)) return run_stages(source, options, observer, shared);
  const FitWorkers workers(options.workers);
  const CalibratedFit calibrated(source.table, options, shared);
  FitResult result = run_stages(source, calibrated.options(), observer, shared);
  calibrated.finish(result, workers.get());
  return result;
}

FitResult run_grow(const model::Model& model, data::ConsumableTable source, const FitOptions& options,
                   const Observer& observer, const SharedTable* shared) {
  const FitWorkers workers(options.workers);
  PreparedFit fit{.model = model, .config = growth_config(model, options.config), .outputs = model.network.outputs()};
  fit.model.loss = config::loss_of(fit.config);
  if (model.calibration.coverage > 0.0) {
    fit.model.calibration = {};
    fit.notes.push_back("the larger network has no prediction intervals; train a new network of this size to get them");
  }
  if (model.early_exit.disagreement > 0.0) {
    fit.model.early_exit = {};
    fit.notes.push_back("the larger network has no early exit; run dial again to restore it");
  }
  fit.time = TimeLeft(fit.config.time_limit);
  if (model.provenance.choice.trials.empty()) fit.model.provenance.validation_loss.clear();
  check_device(options, source.table, fit);
  TrainingTable table = read_table_for(source, options, fit);
  table.shared = shared;
  data::Split split = split_rows(table, options, fit);
  weigh_rows(table, split.train, fit);
  encode_for_ranks(std::move(table), std::move(split), options, workers.get(), fit);
  const bool same_rows = fit.model.provenance.data_fingerprint == model.provenance.data_fingerprint;
  if (!same_rows) note_other_rows(fit, model.calibration.coverage > 0.0);
  // The recorded curve is the loss of the model's own rows and loss function.
  if (!same_rows || fit.custom_loss || fit.model.loss != model.loss) fit.model.provenance.train_loss.clear();
  return train_model(fit, options, workers.get(), Deadline(fit.config.time_limit, ranks_of(options)), observer);
}

PreparedFit prepare_fit(const data::Table& table, const FitOptions& options) {
  const FitWorkers workers(options.workers);
  PreparedFit fit;
  TrainingTable read = read_table({table}, options, fit);
  check_device(options, table, fit);
  data::Split split = split_rows(read, options, fit);
  weigh_rows(read, split.train, fit);
  if (read.offsets.empty()) note_constant_targets(fit, read.targets, split.train);
  choose_settings(read, split.train, options, workers.get(), Deadline(fit.config.time_limit), fit);
  encode_rows(std::move(read), std::move(split), options, workers.get(), fit);
  fit.model.network = make_start_network(fit, options, workers.get());
  return fit;
}

FitResult fit(const data::Table& table, const FitOptions& options, const Observer& observer) {
  return fit_table({table}, options, observer);
}

FitResult fit(data::Table&& table, const FitOptions& options, const Observer& observer) {
  data::Table owned = std::move(table);
  return fit_table({owned, &owned}, options, observer);
}

FitResult grow(const model::Model& model, const data::Table& table, const FitOptions& options,
               const Observer& observer) {
  return grow_table(model, {table}, options, observer);
}

FitResult grow(const model::Model& model, data::Table&& table, const FitOptions& options, const Observer& observer) {
  data::Table owned = std::move(table);
  return grow_table(model, {owned, &owned}, options, observer);
}

}  // namespace accrete::boosting
