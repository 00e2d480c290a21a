#pragma once
// What an experiment keeps of one method on one task, as JSON documents of a store: all that a report is made of. No
// document of `table`, `curves` and `boundary` holds a time, so that the same seed makes the same report.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "accrete/store/store.hpp"
#include "accrete/tune/method.hpp"
#include "accrete/tune/summary.hpp"

namespace accrete::experiment {

/// One test part of `table`.
struct TestPart {
  std::size_t repeat = 0, fold = 0;
  double score = 0.0;       ///< NaN: the fit failed
  tune::Settings settings;  ///< chosen inside
};

/// A cell of the table.
struct Cell {
  std::string profile, task, method;
  std::string metric = {};  ///< accuracy or rmse
  std::size_t rows = 0;
  std::uint64_t seed = 0;
  std::string device = "cpu";        ///< that did the fits
  std::vector<TestPart> parts = {};  ///< repeat by repeat

  std::vector<double> scores() const;
  tune::Summary summary() const;  ///< accuracy in parts of one
  /// What most test parts chose; of equals the first.
  const tune::Settings& favourite() const;
};

store::Result to_result(const Cell& cell);

/// Of those that are cells; each in the order of the store. Throws FileError for a document that cannot be read.
std::vector<Cell> read_cells(const std::vector<store::Result>& results);

}  // namespace accrete::experiment
