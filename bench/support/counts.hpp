#pragma once
// Float operations and bytes of one evaluation of a block, counted from the formulas. The count does not depend on how
// the kernel arranges the work, so that extra work does not look like speed.
//
// Operations per row, with f features drawn, J units, K outputs:
//   hidden layer      2 f J forward, (2 f + 1) J backward (the 1 is the bias)
//   output layer      2 J K forward, (2 J + 1) K for its gradient, 2 J K back to the units
//   logistic unit     26 forward: 23 for exp (2 to clamp the range, 2 + 1 to find the power of two, 4 for the
//                     remainder, 14 for the polynomial), negate, add, divide; 3 backward: a (1 - a) times the error
//   squares           5 per output: y - f, 0.5, square, into the row's value, derivative; 1 for the row's weight
//   loss, K = 1       logistic loss: softplus and sigmoid, counted as 23 + 30 + 8; 1 + 1 for base and weight
//   loss, K > 1       softmax loss: 23 + 8 per output (maximum, shift, exp, sum, label, derivative), 32 per row (log,
//                     divide); 1 + 1 per output for base and weight
//   value             2 per row: times its weight, into the sum
// A divide, a comparison and an addition count 1 each; the ceiling counts 2 per multiply-add.
//
// Bytes per row: each input once, as float: the features drawn, the residuals (or targets and base), the weight.

#include <cstddef>

#include "accrete/backend/rows.hpp"

namespace accrete::bench {

struct EvaluationCost {
  double flops = 0.0, bytes = 0.0;
};

inline EvaluationCost cost_of(std::size_t rows, const backend::BlockShape& shape, backend::StepObjective objective) {
  const auto f = static_cast<double>(shape.features), j = static_cast<double>(shape.units);
  const auto k = static_cast<double>(shape.outputs), n = static_cast<double>(rows);
  const double layers = (4.0 * f + 1.0) * j + 6.0 * j * k + k;
  const double units = (26.0 + 3.0) * j;
  const double loss = objective == backend::StepObjective::squared_error ? 6.0 * k : k == 1.0 ? 63.0 : 33.0 * k + 32.0;
  // A class label is one number for any number of outputs.
  const double inputs = objective == backend::StepObjective::squared_error ? f + k + 1.0 : f + k + 2.0;
  return {n * (layers + units + loss + 2.0), n * inputs * 4.0};
}

}  // namespace accrete::bench
