#pragma once
// Early exit in the exported C header. Internal to io/c_source.

#include <string>

#include "accrete/io/c_source/functions.hpp"
#include "accrete/io/c_source/text.hpp"
#include "accrete/model/early_exit.hpp"

namespace accrete::io {

/// The tables @_exit_steps_, @_exit_thresholds_ and, for regression, @_tolerances_.
void add_exit_tables(const model::EarlyExit& early_exit, CTables& tables);

/// @_predict_exit and the functions that it needs in addition to those of @_predict.
std::string c_exit_functions(const CVariant& variant, const model::EarlyExit& early_exit);

}  // namespace accrete::io
