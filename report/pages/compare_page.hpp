#pragma once
// The page of a comparison: every method on the same folds of one table.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accrete/tune/compare.hpp"
#include "report/pages/page.hpp"

namespace accrete::report {

struct ComparePage {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;  ///< name and value, at the top of the page
  std::vector<std::string> names;                          ///< methods in the order of CompareResult's indices
  Table table;                                             ///< as the command prints it
  std::vector<std::pair<std::string, std::string>> notes;  ///< how to read the table; what each method is
};

/// Error or metric of each method, scores per fold, and time per fit.
Page compare_page(const tune::CompareResult& result, const ComparePage& about, std::optional<Gnuplot> gnuplot);

}  // namespace accrete::report
