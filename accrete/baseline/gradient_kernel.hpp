#pragma once
// Loss and gradient of a plain network over a chunk of rows: forward, error and backward, tile by tile. Compiled once
// per instruction set; the best one the processor has is chosen at run time, once per chunk.

#include <cstddef>

#include "accrete/backend/evaluate_kernel.hpp"
#include "accrete/loss/formula.hpp"
#include "accrete/network/plain.hpp"

namespace accrete::baseline {

/// The network being trained, in float.
struct GradientTask {
  const network::PlainShape* shape;
  std::size_t activation, loss;  ///< indices into their lists
  loss::Settings settings;
  std::size_t tile_rows;
  const float* parameters;  ///< as the shape lays them out
  const float* back;        ///< the weights of each layer transposed (inputs x outputs), at the same places
  const float* ones;        ///< tile_rows
  const float* zeros;       ///< as many as the widest layer has units
};

/// Room for one thread.
struct GradientScratch {
  float* outs;             ///< (hidden units + outputs) x tile_rows: every layer's outputs, layer after layer
  float *delta, *earlier;  ///< the widest layer x tile_rows each
  float* values;           ///< tile_rows
  const float** inputs;    ///< one more than the widest layer has units
  float* sums;  ///< room for parameters x lane_run; a layer's are (inputs + 1) x outputs, the last input its bias
};

/// Adds the weighted loss to part[0], and its derivative by each parameter to part[1 ...]. Sums, not means. The rows'
/// base is not looked at.
void add_gradient(const GradientTask& task, const backend::ChunkRows& rows, const GradientScratch& scratch,
                  double* part);

}  // namespace accrete::baseline
