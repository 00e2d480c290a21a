#pragma once
// Contributions of the columns on a sample of the rows, for the figures of a model's page.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/model/labelled_rows.hpp"

namespace accrete::report {

struct ExplainedColumn {
  std::string name = {};
  double mean_size = 0.0;                  ///< mean absolute contribution over the rows and all scores
  std::vector<double> contributions = {};  ///< to the shown score, of the shown rows
  /// The position of each shown row's value among them, from 0 (lowest) to 1; NaN for text, dates and missing values.
  std::vector<double> places = {};
};

/// A row and its contributions to the shown score.
struct ExplainedRow {
  std::size_t number = 0;  ///< row number in the table, from 1
  double score = 0.0;
  std::vector<std::string> values = {};    ///< of each column: " = 3.5", " missing"; empty for a date
  std::vector<double> contributions = {};  ///< of each column
};

struct ColumnContributions {
  std::string score = {};                     ///< meaning of the shown score: "log odds of 'yes'"
  std::size_t scores = 1;                     ///< number of scores of the model
  std::size_t rows = 0, shown = 0;            ///< sampled rows, and how many of them are shown individually
  double baseline = 0.0;                      ///< of the shown score
  std::vector<ExplainedColumn> columns = {};  ///< largest mean size first
  ExplainedRow example = {};                  ///< the sampled row with the score farthest from the baseline
};

/// Samples at most 10,000 rows. If there are several scores, shows the one with the largest contributions. The result
/// does not depend on the number of threads.
ColumnContributions column_contributions(const LabelledRows& data, std::uint64_t seed, core::Workers& workers);

}  // namespace accrete::report
