#pragma once
// The tensors of a model file that store the numbers of the inputs.

#include <cstddef>
#include <vector>

#include "accrete/data/encoder.hpp"
#include "accrete/io/safetensors.hpp"

namespace accrete::io {

/// The numbers of all inputs, concatenated. Must outlive the tensors made from them.
struct InputTensors {
  explicit InputTensors(const data::Encoder& encoder);

  void add_doubles(Container& file) const;  ///< appends the F64 tensors
  void add_floats(Container& file) const;   ///< appends the F32 tensors

  std::vector<double> mean, scale;          ///< of the numeric inputs
  std::vector<double> share;                ///< of every level
  std::vector<double> bin_mean, bin_scale;  ///< of every bin; no tensors if there are no bins
  std::vector<float> knot;
};

/// An encoder for the described inputs, with `bins` bins each, and the numbers in the tensors. Throws FileError if a
/// tensor is missing or has the wrong length, DataError if Encoder rejects the numbers.
data::Encoder read_encoder(const Container& file, std::vector<data::Input> inputs,
                           const std::vector<std::size_t>& bins);

}  // namespace accrete::io
