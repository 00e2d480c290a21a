#pragma once
// How much each input column contributes to the scores of each row: integrated gradients from the mean training row.
//
// With p_cj the weighted features of column c in unit j, h_j the bias of the unit and v_jk its weight for output k,
//
//   contribution(c, k) = sum_j v_jk * slope_j * p_cj,   slope_j = (act(h_j + d_j) - act(h_j)) / d_j,   d_j = sum_c p_cj
//
// so the contributions of a row add up to score(row) - baseline, at every prefix. The baseline is the score of the row
// whose features are all 0: the training mean of every feature, and no missing value. The gradient along the straight
// line from there to the row is the same multiple of p_cj for every column of a unit, which is why the integral has
// this closed form (docs/explain.md).

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
/// probabilities for more classes, the logarithm of the prediction for the loss poisson.
struct Contributions {
  std::size_t rows = 0, columns = 0, outputs = 0;
  std::vector<std::string> column_names;  ///< of the table, in the order of the model's inputs; a date is one column
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

/// Contributions with the prefix of `steps` steps. Throws UsageError for a plain model, and where model::predict does.
/// The bits do not depend on the number of threads.
Contributions contributions(const model::Model& model, const data::Table& table, std::size_t steps,
                            core::Workers& workers);

/// Same as above for raw row-major rows, one column per input; NaN means missing.
Contributions contributions(const model::Model& model, core::MatrixView<const float> raw, std::size_t steps,
                            core::Workers& workers);

/// The class or target that each score is for; the single score of two classes is for the second.
std::vector<std::string> output_names(const model::Model& model);

}  // namespace accrete::explain
