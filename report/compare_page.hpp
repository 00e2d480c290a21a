#pragma once
// The page of a comparison: every method on the same folds of one table.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accrete/tune/compare.hpp"
#include "report/page.hpp"

namespace accrete::report {

struct ComparePage {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;  ///< name and value, for the head of the page
  std::vector<std::string> names;                          ///< of the methods, in the order they were given
  Table table;                                             ///< the comparison in words, as the command prints it
  std::vector<std::pair<std::string, std::string>> notes;  ///< how to read it; what each method is
};

/// What separates the methods from a perfect score, their scores fold by fold, and what a fit took.
Page compare_page(const tune::CompareResult& result, const ComparePage& about, std::optional<Gnuplot> gnuplot);

}  // namespace accrete::report
