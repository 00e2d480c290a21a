#pragma once
// Early exit of a model as text and JSON.

#include <string>

#include "accrete/model/model.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {

/// "another label in at most 0.1 % of the rows, with 95 % confidence"
std::string show_guarantee(const model::Model& model);
/// The guarantee and "a row uses 61.2 of 256 units on average".
std::string show_early_exit(const model::Model& model);
/// null for a model without early exit.
Json early_exit_json(const model::Model& model);

}  // namespace accrete::cli
