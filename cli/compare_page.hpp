#pragma once
// The page of a comparison, where this build writes pages.

#include <string>
#include <utility>
#include <vector>

#include "accrete/tune/compare.hpp"
#include "cli/command.hpp"

namespace accrete::cli {

struct ComparePageTask {
  std::string output;
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts, notes;
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> table;  ///< the header first
};

/// Throws Error where this build writes none: before anything is fitted.
void require_pages();

/// Written beside and renamed.
void write_compare_page(const tune::CompareResult& result, const ComparePageTask& task, const Common& common);

}  // namespace accrete::cli
