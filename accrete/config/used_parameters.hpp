#pragma once
// Parameters that have an effect only with certain values of others: quantile with the quantile loss, momentum with
// sgd. Ignoring them would train another model than the one asked for.

#include <optional>
#include <span>
#include <string>

#include "accrete/config/config.hpp"
#include "accrete/config/parameter.hpp"

namespace accrete::config {

/// The loss that a given parameter implies: quantile for quantile, huber for huber_delta. Unset if neither is given, or
/// a loss is. Throws UsageError if both are given without a loss.
std::optional<std::string> implied_loss(const Config& given);

/// Throws UsageError for a given parameter that has no effect in `config`, unless it has its default: a model that is
/// read from a file gives every parameter when it is fitted again.
void check_used(const ResolvedConfig& config, const Config& given);

/// Throws UsageError for a parameter that the solver ignores.
void check_solver_uses(const Setting& given, const std::string& solver);

/// Unsets what has no effect because of a searched setting: a grid of solvers and batch sizes has trials with lbfgs.
void drop_unused(Config& config, std::span<const Setting> searched);

}  // namespace accrete::config
