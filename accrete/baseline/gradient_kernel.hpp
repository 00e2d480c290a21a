#pragma once
// Loss and gradient of a plain network over a chunk of rows: forward and backward pass, tile by tile. Compiled once per
// instruction set and dispatched at run time once per chunk.

#include <cstddef>

#include "accrete/backend/kernels/evaluate_kernel.hpp"
#include "accrete/loss/formula.hpp"
#include "accrete/network/plain.hpp"

namespace accrete::baseline {

/// The network being trained, in float.
struct GradientTask {
  const network::PlainShape* shape;
  std::size_t activation, loss;  ///< indices into their lists
  loss::LossSettings settings;
  std::size_t tile_rows;
  const float* parameters;  ///< in the layout of the shape
  const float* transposed;  ///< same layout, the weights of each layer as inputs x outputs
  const float* ones;        ///< tile_rows
  const float* zeros;       ///< units of the widest layer
};

/// Workspace of one thread.
struct GradientScratch {
  float* outs;             ///< (hidden units + outputs) x tile_rows: outputs of every layer, contiguous by layer
  float *delta, *earlier;  ///< units of the widest layer x tile_rows each
  float* values;           ///< tile_rows
  const float** inputs;    ///< units of the widest layer + 1
  float* sums;             ///< line_floats per parameter; per layer (inputs + 1) x outputs; the last input is the bias
};

/// Adds the weighted loss to sums[0] and its gradient to sums[1 ...]. Ignores the base scores of the rows.
void add_gradient(const GradientTask& task, const backend::ChunkRows& rows, const GradientScratch& scratch,
                  double* sums);

}  // namespace accrete::baseline
