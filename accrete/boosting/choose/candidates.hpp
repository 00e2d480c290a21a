#pragma once
// The settings that a fit chooses among: light and heavy penalties, numeric columns with and without bins.

#include <cstddef>
#include <vector>

#include "accrete/boosting/choose.hpp"
#include "accrete/boosting/choose/search_plan.hpp"

namespace accrete::boosting {

/// The configurations to try on this many rows; none with bins if there are too few rows for them. Given parameters
/// keep their values in all of them.
std::vector<config::ResolvedConfig> candidate_configs(const ChoiceTask& task, const SearchPlan& plan, std::size_t rows);

/// Of a large table, tried before it is concluded that little can be learnt: on a small sample, a light penalty hides
/// what bins and categories of many levels tell. Empty if alpha is given.
std::vector<config::ResolvedConfig> heavier_binned_configs(const ChoiceTask& task, const SearchPlan& plan,
                                                           std::size_t rows);

inline constexpr double min_heavier_alpha = 10.0;

/// Fallback candidates if candidate_configs learn little: with heavier penalties, and without bins unless they are
/// given. Empty if alpha is given.
std::vector<config::ResolvedConfig> heavier_configs(const ChoiceTask& task, const SearchPlan& plan);

}  // namespace accrete::boosting
