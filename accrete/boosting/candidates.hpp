#pragma once
// The settings that a fit chooses among: light and heavy penalties, numbers as they are and in bins.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "accrete/boosting/choose.hpp"
#include "accrete/config/config.hpp"

namespace accrete::boosting {

/// The configurations to try on this many rows; finer bins if there are enough rows to fill them. Given parameters are
/// the same in all of them.
std::vector<config::ResolvedConfig> candidate_configs(const ChoiceTask& task, std::size_t rows);

}  // namespace accrete::boosting
