#pragma once
// The report page of a comparison. no_compare_page.cpp replaces the source in a build without pages.

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
  std::vector<std::vector<std::string>> table;  ///< with the header as first row
};

/// Throws Error in a build without pages. Call it before fitting.
void require_pages();

/// Replaces the file atomically.
void write_compare_page(const tune::CompareResult& result, const ComparePageTask& task, const Common& common);

}  // namespace accrete::cli
