#include "accrete/boosting/fit_shared.hpp"

#include <string>
#include <utility>
#include <vector>

#include "accrete/boosting/calibrate/calibrated_fit.hpp"
#include "accrete/boosting/choose/growth_config.hpp"
#include "accrete/comm/agree.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"

namespace accrete::boosting {
namespace {

/// Rejects options that require a single process, before any rows are gathered.
void check_options_of_ranks(const FitOptions& options) {
  const auto refuse = [](core::ParameterReference what) {
    throw core::UsageError(std::move(what), "is not supported across ranks; fit in one process");
  };
  if (options.backend != "cpu") refuse({"backend", options.backend});
  if (options.custom_loss) refuse({"loss", "custom"});
  if (!options.rows.empty())
    throw core::UsageError("rows: must be empty in a fit across ranks, which trains on all rows of every rank");
}

using Names = std::vector<std::string>;

/// The columns of which every rank needs all rows: targets, weights, offsets and groups.
Names role_columns(const data::Table& table, Names targets, const Names& others, const config::GroupWeights& groups) {
  for (const std::string& name : others)
    if (!name.empty()) targets.push_back(table.columns[table.require(name)].name);
  if (!groups.column.empty()) targets.push_back(groups.column);
  return targets;
}

/// What the stages of a fit read on every rank. A table with few rows to fit is gathered, and each rank then works like
/// a single process until the rows are encoded.
class RankRows {
 public:
  RankRows(const data::Table& own, comm::Communicator& comm, const Names& roles, double calibration_fraction = 0.0)
      : shared_(own, comm),
        is_small_(static_cast<double>(shared_.rows()) * (1.0 - calibration_fraction) <= max_gathered_rows + 1),
        known_(is_small_ ? shared_.gather() : shared_.gather_columns(roles)) {}
  RankRows(const RankRows&) = delete;

  data::ConsumableTable source() { return {known_, is_small_ ? &known_ : nullptr}; }
  const SharedTable* shared() const { return is_small_ ? nullptr : &shared_; }

 private:
  SharedTable shared_;
  bool is_small_;
  data::Table known_;
};

/// An observer that returns on every rank what rank 0's observer returns.
Observer observer_of_rank_0(comm::Communicator& comm, const Observer& observer) {
  return [&](const Progress& progress) { return comm::broadcast_value(comm, !observer || observer(progress)); };
}

}  // namespace

FitResult fit_shared(data::ConsumableTable source, const FitOptions& given, const Observer& observer) {
  comm::Communicator& comm = *given.comm;
  comm::require_same_program(comm);
  check_options_of_ranks(given);
  FitOptions options = given;
  options.choosing = {};  // it could stop the choice, and ranks do not call it at the same time
  const data::Table& own = source.table;
  Names targets;
  for (const std::size_t c : target_columns(own, options.targets)) targets.push_back(own.columns[c].name);
  RankRows rows(own, comm,
                role_columns(own, targets, {options.weight_column, options.offset_column},
                             options.config.group_weight.value_or(config::GroupWeights())),
                calibration_fraction(options));
  return run_fit(rows.source(), options, observer_of_rank_0(comm, observer), rows.shared());
}

FitResult grow_shared(const model::Model& model, data::ConsumableTable source, const FitOptions& options,
                      const Observer& observer) {
  comm::Communicator& comm = *options.comm;
  comm::require_same_program(comm);
  check_options_of_ranks(options);
  const std::string& offsets = options.offset_column.empty() ? model.offset_column : options.offset_column;
  RankRows rows(source.table, comm,
                role_columns(source.table, model.targets, {options.weight_column, offsets},
                             growth_config(model, options.config).group_weight));
  return run_grow(model, rows.source(), options, observer_of_rank_0(comm, observer), rows.shared());
}

}  // namespace accrete::boosting
