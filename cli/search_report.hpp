#pragma once
// What accrete search says at its end. Nothing in it depends on time, threads or what was found in a store, so that a
// search that was broken off and gone on with prints what an unbroken one does.

#include <optional>
#include <string>

#include "accrete/boosting/fit.hpp"
#include "accrete/tune/problem.hpp"
#include "accrete/tune/search.hpp"
#include "cli/print.hpp"

namespace accrete::cli {

struct SearchReport {
  const tune::Problem& problem;
  const tune::SearchOptions& options;
  const tune::SearchResult& result;
  std::string preset;
  bool target_given;
  std::string output;                   ///< the model file
  const model::Model* refit = nullptr;  ///< what is in it; nothing when none was asked for
};

std::string search_text(const SearchReport& report);
Json search_json(const SearchReport& report);

/// "learning_rate 0.5, units_per_step 3, units 200"
std::string show_setting(const tune::Tried& tried);

}  // namespace accrete::cli
