#pragma once
// The numeric inputs of a graph: from the columns to features without gaps, and the weights that belong to them.

#include <cstdint>
#include <string>
#include <vector>

#include "accrete/model/model.hpp"
#include "accrete/onnx/graph.hpp"

namespace accrete::onnx {

/// An input and its first feature, which is a column of the hidden weights.
struct Placed {
  const data::Input* input;
  std::size_t feature;

  std::size_t indicator() const { return feature + input->width() - 1; }
};

std::vector<Placed> inputs_of(const data::Encoder& encoder, data::Column::Kind kind);

/// The numeric inputs less their means, and 0 where missing; then the same of their bins.
///
/// The scales are folded into the weights. The means are not: beside a spread much smaller than itself a mean would
/// take all digits of the sums. Subtracted first, it costs none; the part of it that single precision leaves out is in
/// the bias. Knots are numbers of single precision, and lose nothing either.
class NumericPart {
 public:
  /// Throws UsageError when an input is so large or small that its standardisation leaves single precision.
  explicit NumericPart(const model::Model& model);

  std::size_t inputs() const { return inputs_.size(); }

  /// Sets `values` to the inputs without gaps; returns the features: those, the bins', the indicators.
  std::string add_features(Graph& graph, const std::string& numbers, std::string& values) const;

  /// units x features, in the order of add_features.
  std::string add_weights(Graph& graph) const;

  /// Of each unit.
  std::vector<double> bias() const;

 private:
  /// The mean as the graph has it, and what single precision leaves of it.
  struct Mean {
    double rounded, rest;
  };

  /// Values that have gaps, where those are, and what the names of values made from them begin with.
  struct Gapped {
    std::string values, gaps, prefix;
  };

  static Mean split(double mean);
  static Mean mean_of(const data::Input& input);
  static std::string add_centred(Graph& graph, const Gapped& gapped, const std::vector<Mean>& means);
  void add_bins(const data::Input& input);
  std::string add_bin_features(Graph& graph, const std::string& numbers, const std::string& gaps) const;

  const network::Network& network_;
  std::vector<Placed> inputs_;
  std::vector<Mean> means_;
  std::vector<std::int64_t> indicated_;  ///< places among the numeric inputs
  // Of each bin, input after input.
  std::vector<std::int64_t> bin_sources_;  ///< places among the numeric inputs
  std::vector<double> knots_, slopes_;
  std::vector<Mean> bin_means_;
};

}  // namespace accrete::onnx
