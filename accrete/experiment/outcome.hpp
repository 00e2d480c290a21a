#pragma once
// The stored result of one method on one task as a JSON document, from which reports are made. Documents of `table`,
// `curves` and `boundary` contain no times, so that the same seed gives the same report.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "accrete/store/store.hpp"
#include "accrete/tune/method.hpp"
#include "accrete/tune/summary.hpp"

namespace accrete::experiment {

/// One test part of the experiment `table`.
struct TestPart {
  std::size_t repeat = 0, fold = 0;
  double score = 0.0;       ///< NaN: the fit failed
  tune::Settings settings;  ///< chosen on the training part
};

/// A cell of the table.
struct Cell {
  std::string profile, task, method;
  std::string metric = {};  ///< accuracy or rmse
  std::size_t rows = 0;
  std::uint64_t seed = 0;
  std::string device = "cpu";        ///< that ran the fits
  std::vector<TestPart> parts = {};  ///< ordered by repeat

  std::vector<double> scores() const;
  tune::Summary summary() const;  ///< accuracy as a share of 1
  /// The settings chosen by most test parts; on a tie, the first of them.
  const tune::Settings& modal_settings() const;
};

store::Result to_result(const Cell& cell);

/// The results that are cells, in store order. Throws FileError for a document that cannot be read.
std::vector<Cell> read_cells(const std::vector<store::Result>& results);

}  // namespace accrete::experiment
