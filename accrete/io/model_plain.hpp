#pragma once
// The networks of a model that was not grown, as the tensors that a model file keeps them in: per layer one of weights
// (networks x outputs x inputs) and one of biases (networks x outputs), and the weight of each network's vote.

#include <cstddef>
#include <string>
#include <vector>

#include "accrete/io/safetensors.hpp"
#include "accrete/model/model.hpp"

namespace accrete::io {

/// Outlives the tensors made from it. Members must be of one shape.
class PlainNumbers {
 public:
  explicit PlainNumbers(const model::Model& model);

  void add_wide(Container& file) const;    ///< tensors of 8-byte numbers
  void add_narrow(Container& file) const;  ///< tensors of 4-byte numbers

 private:
  struct Layer {
    std::string weight_name, bias_name;
    std::vector<float> weights, biases;  ///< of all networks
  };

  const model::Model& model_;
  std::vector<double> votes_;
  std::vector<Layer> layers_;
};

/// `count` networks of these widths. Throws FileError when a tensor is missing or of another shape.
std::vector<model::Member> read_members(const Container& file, const std::vector<std::size_t>& widths,
                                        std::size_t count, activation::Activation activation);

}  // namespace accrete::io
