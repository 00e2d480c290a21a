#pragma once
// The contribution of each input column to the scores of each row: integrated gradients from the mean training row.
//
// With p_cj the weighted features of column c in unit j, h_j the bias of the unit and v_jk its weight for output k,
//
//   contribution(c, k) = sum_j v_jk * slope_j * p_cj,   slope_j = (act(h_j + d_j) - act(h_j)) / d_j,   d_j = sum_c p_cj
//
// so the contributions of a row add up to score(row) - baseline, for every prefix. The baseline is the score of the row
// whose features are all 0: every feature at its training mean, and no missing value. Along the straight line from
// there to the row, the gradient of a unit is the same multiple of p_cj for all columns, so the integral has this
// closed form (docs/explain.md).

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/model/model.hpp"

namespace accrete::explain {

/// In units of the scores: the target's units for regression, log odds of the second of two classes, unnormalised log
/// probabilities for more classes, the logarithm of the prediction for the poisson loss.
struct Contributions {
  std::size_t rows = 0, columns = 0, outputs = 0;
  std::vector<std::string> column_names;  ///< table columns, in the order of the model's inputs; a date is one column
  std::vector<double> values;             ///< rows x columns x outputs
  std::vector<double> baseline;           ///< one score per output

  double operator()(std::size_t row, std::size_t column, std::size_t output) const {
    return values[(row * columns + column) * outputs + output];
  }
  std::span<const double> row(std::size_t r) const {
    return std::span(values).subspan(r * columns * outputs, columns * outputs);
  }
  /// The baseline plus all contributions: the score of the row, up to rounding.
  double score(std::size_t row, std::size_t output) const;
};

/// Contributions for the prefix of `steps` steps, bit-identical for any number of threads. Throws UsageError for a
/// plain model, and as model::predict does.
Contributions contributions(const model::Model& model, const data::Table& table, std::size_t steps,
                            core::Workers& workers);

/// Same as above for raw row-major rows, one column per input; NaN means missing.
Contributions contributions(const model::Model& model, core::MatrixView<const float> raw, std::size_t steps,
                            core::Workers& workers);

/// The class or target of each score; the single score of two classes belongs to the second.
std::vector<std::string> output_names(const model::Model& model);

}  // namespace accrete::explain
