#pragma once
// The numbers of a model's inputs, as the tensors that a model file keeps them in.

#include <cstddef>
#include <vector>

#include "accrete/data/encoder.hpp"
#include "accrete/io/safetensors.hpp"

namespace accrete::io {

/// Of all inputs, one after another. Outlives the tensors made from it.
struct InputNumbers {
  explicit InputNumbers(const data::Encoder& encoder);

  void add_wide(Container& file) const;    ///< tensors of 8-byte numbers
  void add_narrow(Container& file) const;  ///< tensors of 4-byte numbers

  std::vector<double> mean, scale;          ///< of the numeric inputs
  std::vector<double> share;                ///< of every level
  std::vector<double> bin_mean, bin_scale;  ///< of every bin; a model without bins has no tensors of them
  std::vector<float> knot;
};

/// The described inputs, of which each has so many bins, with their numbers. Throws FileError when a tensor is missing
/// or of another length, DataError when the numbers make no encoder.
data::Encoder read_encoder(const Container& file, std::vector<data::Input> inputs,
                           const std::vector<std::size_t>& bins);

}  // namespace accrete::io
