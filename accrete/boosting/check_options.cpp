#include "accrete/boosting/check_options.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "accrete/boosting/calibrate/calibrated_fit.hpp"
#include "accrete/boosting/constraints.hpp"
#include "accrete/boosting/read.hpp"
#include "accrete/config/preset.hpp"
#include "accrete/core/error.hpp"

namespace accrete::boosting {
namespace {

/// The tasks that the options do not rule out; the target decides among them.
std::vector<data::Task> possible_tasks(const FitOptions& options) {
  using enum data::Task;
  if (const auto task = task_of(options)) return {*task};
  const std::string loss = options.config.loss.value_or("auto");
  if (loss == loss::Squared::name) return {regression};
  if (loss == loss::Logistic::name) return {binary};
  if (loss == loss::Softmax::name) return {multiclass};
  return {regression, binary, multiclass};
}

/// True if the name may be a part of a date column, such as "when year", judging by the header alone.
bool may_be_date_part(std::string_view name, const std::string& column) {
  return name.size() > column.size() && name.starts_with(column) && name[column.size()] == ' ';
}

}  // namespace

void check_options(const FitOptions& options) {
  check_custom_loss(options, options.config.loss.value_or("auto"));
  check_calibration(options);
  std::optional<core::UsageError> refusal;
  for (const data::Task task : possible_tasks(options)) {
    try {
      config::configure(options.preset, task, options.config);
      return;
    } catch (const core::UsageError& error) {
      if (!refusal) refusal = error;
    }
  }
  throw core::UsageError(*refusal);
}

void check_constrained_columns(const config::Config& given, std::span<const std::string> columns) {
  const auto check = [&](const char* parameter, const std::string& name) {
    const auto is_it = [&](const std::string& column) { return column == name || may_be_date_part(name, column); };
    if (std::ranges::none_of(columns, is_it)) refuse_unread_column(parameter, name, columns);
  };
  if (given.monotone)
    for (const config::MonotoneColumn& entry : *given.monotone) check("monotone", entry.column);
  if (given.interactions)
    for (const auto& group : given.interactions->groups)
      for (const std::string& name : group) check("interactions", name);
}

}  // namespace accrete::boosting
