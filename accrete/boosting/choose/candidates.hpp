#pragma once
// The settings that a fit chooses among: light and heavy penalties, numbers as they are and in bins.

#include <cstddef>
#include <vector>

#include "accrete/boosting/choose.hpp"
#include "accrete/boosting/choose/search_plan.hpp"

namespace accrete::boosting {

/// The configurations to try on this many rows; no bins where rows are too few for them. Given parameters are the same
/// in all of them.
std::vector<config::ResolvedConfig> candidate_configs(const ChoiceTask& task, const SearchPlan& plan, std::size_t rows);

inline constexpr double min_heavier_alpha = 10.0;

/// The configurations to try when those learn little: without bins and with heavier penalties. None if alpha is given.
std::vector<config::ResolvedConfig> heavier_configs(const ChoiceTask& task, const SearchPlan& plan);

}  // namespace accrete::boosting
