#pragma once
// How much a model leans on each column of the file: what its main metric loses when that column is shuffled, so that
// it says nothing about the row any more while all else stays (permutation importance).

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/labelled.hpp"

namespace accrete::report {

struct ImportanceOptions {
  std::size_t repeats = 5;  ///< shuffles of each column
  std::uint64_t seed = 0;
  Progress progress = {};
};

struct ColumnImportance {
  std::string column;
  double mean = 0.0, sd = 0.0;  ///< over the repeats, of the metric's loss: above 0 where shuffling did harm
};

struct Importances {
  std::string metric;
  double whole = 0.0;    ///< the metric with nothing shuffled, on the rows used
  std::size_t rows = 0;  ///< that were used
  std::size_t repeats = 0;
  std::vector<ColumnImportance> columns;  ///< the model's inputs, most important first
  bool stopped = false;
};

/// Rows are drawn from the seed so that about a hundred billion multiplications are done in all, and at least 200 and
/// at most 10,000 rows are used. Nothing depends on the number of threads.
Importances importances(const Labelled& data, const ImportanceOptions& options, core::Workers& workers);

/// How many rows that is.
std::size_t importance_rows(const model::Model& model, std::size_t rows, std::size_t repeats);

}  // namespace accrete::report
