#pragma once
// Scores of rows from lookup tables, dispatched to the best instruction set at run time.

#include <cstddef>

#include "accrete/network/predict_tables.hpp"

namespace accrete::network {

/// Rows as codes, and their scores: score k of row r is at scores[k * stride + r].
struct CodedRows {
  const TableCode* codes;  ///< rows x tables.columns()
  std::size_t rows;
  double* scores;
  std::size_t stride;
};

/// Adds units from .. to - 1 to the scores. The scores of a row are bit-identical for any other rows in the call, and
/// for any split of a range into calls at multiples of PredictTables::width. Does not allocate.
void add_table_units(const PredictTables& tables, std::size_t from, std::size_t to, const CodedRows& rows);

}  // namespace accrete::network
