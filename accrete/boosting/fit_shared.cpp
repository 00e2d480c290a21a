#include "accrete/boosting/fit_shared.hpp"

#include <string>
#include <utility>
#include <vector>

#include "accrete/boosting/calibrate/calibrated_fit.hpp"
#include "accrete/comm/agree.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"

namespace accrete::boosting {
namespace {

/// Rejects options that require a single process, before any rows are gathered.
void check_options_of_ranks(const FitOptions& options) {
  const auto refuse = [](core::ParameterReference what) {
    throw core::UsageError(std::move(what), "is for one process; a fit across ranks does not support it yet");
  };
  if (options.device) refuse({"device", options.device->name()});
  if (options.backend != "cpu") refuse({"backend", options.backend});
  if (options.custom_loss) refuse({"loss", "custom"});
  if (wants_calibration(options)) refuse({"interval"});
  if (!options.rows.empty()) throw core::UsageError("a fit across ranks takes all rows of its tables");
}

/// The columns of which every rank needs all rows: targets, weights, offsets and groups.
std::vector<std::string> role_columns(const data::Table& table, const FitOptions& options) {
  std::vector<std::string> names;
  for (const std::size_t c : target_columns(table, options.targets)) names.push_back(table.columns[c].name);
  for (const std::string& name : {options.weight_column, options.offset_column})
    if (!name.empty()) names.push_back(table.columns[table.require(name)].name);
  if (options.config.group_weight) names.push_back(options.config.group_weight->column);
  return names;
}

/// Each rank chooses on its own, and clocks differ, so a time limit could make ranks choose differently.
void refuse_limited_choice(const FitOptions& options) {
  const config::Config& config = options.config;
  const bool all_given = config.alpha && config.bins && config.units;
  const bool chooses = config.automatic.value_or(true) && !all_given && !options.resume;
  const bool limited = options.config.time_limit.value_or(0.0) > 0.0;
  if (chooses && limited)
    throw core::UsageError(
        core::message("{} across ranks needs {}", core::parameter("time_limit"), core::parameter("auto", "off")));
}

}  // namespace

FitResult fit_shared(data::ConsumableTable source, const FitOptions& given, const Observer& observer) {
  comm::Communicator& comm = *given.comm;
  comm::require_same_program(comm);
  check_options_of_ranks(given);
  refuse_limited_choice(given);
  FitOptions options = given;
  options.choosing = {};  // it could stop the choice, and ranks do not call it at the same time
  const auto observe = [&](const Progress& progress) {
    return comm::broadcast_value(comm, !observer || observer(progress));
  };
  const SharedTable shared(source.table, comm);
  const bool is_small = shared.rows() <= max_gathered_rows;
  data::Table known = is_small ? shared.gather() : shared.gather_columns(role_columns(source.table, options));
  return fit_plain({known, is_small ? &known : nullptr}, options, observe, is_small ? nullptr : &shared);
}

}  // namespace accrete::boosting
