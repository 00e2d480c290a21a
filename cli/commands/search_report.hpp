#pragma once
// The result of accrete search as text and JSON. It does not depend on time, threads or the store, so a resumed search
// prints the same as an uninterrupted one.

#include <optional>
#include <string>

#include "accrete/boosting/fit.hpp"
#include "accrete/tune/problem.hpp"
#include "accrete/tune/search.hpp"
#include "cli/support/print.hpp"

namespace accrete::cli {

struct SearchReport {
  const tune::Problem& problem;
  const tune::SearchOptions& options;
  const tune::SearchResult& result;
  std::string preset;
  bool target_given;
  std::string output;                   ///< the model file
  const model::Model* refit = nullptr;  ///< its content; null without --output
};

std::string search_text(const SearchReport& report);
Json search_json(const SearchReport& report);

/// "learning_rate 0.5, units_per_step 3, units 200"
std::string show_setting(const tune::SearchTrial& tried);

}  // namespace accrete::cli
