#pragma once
// What one evaluation of a block costs on paper: float operations and bytes, counted from the formulas. How the kernel
// arranges them does not enter, so that a kernel cannot look better by doing more.
//
// Operations of one row, with f features drawn, J units, K outputs:
//   hidden layer      2 f J forward, (2 f + 1) J backward (the 1 is the bias)
//   output layer      2 J K forward, (2 J + 1) K for its gradient, 2 J K back to the units
//   logistic unit     26 forward: 23 of exp (2 to hold the range, 2 + 1 to find the power of two, 4 for the remainder,
//                     14 for the polynomial), negate, add, divide; 3 backward: a (1 - a) times what came back
//   squares           5 an output: y - f, 0.5, square, into the row's value, derivative; 1 for the row's weight
//   loss, K = 1       the logistic loss; softplus and sigmoid, counted as 23 + 30 + 8 operations; 1 + 1 for base,
//   weight loss, K > 1       the softmax loss: 23 + 8 an output (maximum, shift, exp, sum, label, derivative), 32 a row
//   (log,
//                     divide); 1 + 1 an output for base and weight
//   value             2 a row: times its weight, into the sum
// A divide, a comparison and an addition count 1 each; the ceiling they are held against counts 2 per multiply-add.
//
// Bytes of one row: each input once, as float: the features drawn, the residuals (or targets and base), the weight.

#include <cstddef>

#include "accrete/backend/rows.hpp"

namespace accrete::bench {

struct Cost {
  double flops = 0.0, bytes = 0.0;
};

inline Cost cost_of(std::size_t rows, const backend::BlockShape& shape, backend::Fit fit) {
  const auto f = static_cast<double>(shape.features), j = static_cast<double>(shape.units);
  const auto k = static_cast<double>(shape.outputs), n = static_cast<double>(rows);
  const double layers = (4.0 * f + 1.0) * j + 6.0 * j * k + k;
  const double units = (26.0 + 3.0) * j;
  const double loss = fit == backend::Fit::squares ? 6.0 * k : k == 1.0 ? 63.0 : 33.0 * k + 32.0;
  // A class is one number whatever the number of outputs.
  const double inputs = fit == backend::Fit::squares ? f + k + 1.0 : f + k + 2.0;
  return {n * (layers + units + loss + 2.0), n * inputs * 4.0};
}

}  // namespace accrete::bench
