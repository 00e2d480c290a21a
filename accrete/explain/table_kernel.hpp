#pragma once
// Contributions of a tile of rows from lookup tables: a table entry is the weighted value of a column for 16 units.

#include <cstddef>
#include <vector>

#include "accrete/core/aligned.hpp"
#include "accrete/network/predict_tables.hpp"

namespace accrete::explain {

/// Computes contributions tile by tile; each thread needs its own object.
class TableTile {
 public:
  /// Keeps a reference to the tables.
  TableTile(const network::PredictTables& tables, std::size_t tile_rows);

  /// tile_rows x tables.columns() codes; the caller fills them before each call of compute.
  network::TableCode* codes() { return codes_.data(); }
  float* raw() { return raw_.data(); }  ///< scratch for tile_rows values
  /// Computes the first `rows` rows with the first `units` units.
  void compute(std::size_t rows, std::size_t units);
  /// Contributions to an output, one per column of the tables.
  const double* values(std::size_t row, std::size_t output) const {
    return values_.data() + (row * tables_.layout().outputs + output) * tables_.columns();
  }
  /// Rows per tile such that its sums fit into the L2 cache.
  static std::size_t tile_rows_for(const network::PredictTables& tables);

  /// Arguments of the kernel.
  struct Args {
    const network::PredictTables::Layout& tables;
    const network::TableCode* codes;
    std::size_t rows, units;
    float* weighted;  ///< scratch: strip_rows x columns x 16
    float* sums;      ///< scratch: rows x outputs x columns x 16
    double* values;   ///< rows x outputs x columns
  };
  static constexpr std::size_t strip_rows = 4;  ///< rows whose weighted values are in scratch at the same time

 private:
  const network::PredictTables& tables_;
  std::vector<network::TableCode> codes_;
  std::vector<float> raw_;
  core::AlignedVector<float> weighted_, sums_;
  std::vector<double> values_;
};

}  // namespace accrete::explain
