#pragma once
// The tensors of a model file that hold plain networks: per layer the weights (networks x outputs x inputs) and biases
// (networks x outputs), and the weight of each network's vote.

#include <cstddef>
#include <string>
#include <vector>

#include "accrete/io/safetensors.hpp"
#include "accrete/model/model.hpp"

namespace accrete::io {

/// Must outlive the tensors made from it. All networks must have the same shape.
class PlainTensors {
 public:
  explicit PlainTensors(const model::Model& model);

  void add_doubles(Container& file) const;  ///< appends the F64 tensors
  void add_floats(Container& file) const;   ///< appends the F32 tensors

 private:
  struct Layer {
    std::string weight_name, bias_name;
    std::vector<float> weights, biases;  ///< of all networks
  };

  const model::Model& model_;
  std::vector<double> votes_;
  std::vector<Layer> layers_;
};

/// Reads `count` networks of these layer widths. Throws FileError if a tensor is missing or has the wrong shape.
std::vector<model::Member> read_members(const Container& file, const std::vector<std::size_t>& widths,
                                        std::size_t count, activation::Activation activation);

}  // namespace accrete::io
