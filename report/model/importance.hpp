#pragma once
// Permutation importance: how much the main metric gets worse when a column is shuffled.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/model/labelled_rows.hpp"

namespace accrete::report {

struct ImportanceOptions {
  std::size_t repeats = 5;  ///< shuffles of each column
  std::uint64_t seed = 0;
  ProgressCallback progress = {};
};

struct ColumnImportance {
  std::string column;
  double mean = 0.0, sd = 0.0;  ///< over the repeats; above 0: shuffling made the metric worse
};

struct Importances {
  std::string metric;
  double unshuffled = 0.0;  ///< the metric without shuffling, on the sampled rows
  std::size_t rows = 0;     ///< number of sampled rows
  std::size_t repeats = 0;
  std::vector<ColumnImportance> columns;  ///< the model's inputs, most important first
  bool stopped = false;
};

/// Samples as many rows as keep the cost at about 1e11 multiplications, between 200 and 10,000. The result does not
/// depend on the number of threads.
Importances importances(const LabelledRows& data, const ImportanceOptions& options, core::Workers& workers);

/// The number of rows that importances() samples.
std::size_t importance_rows(const model::Model& model, std::size_t rows, std::size_t repeats);

}  // namespace accrete::report
