#pragma once
// The numeric columns of a graph: their features, and the hidden weights on these features.

#include <cstdint>
#include <string>
#include <vector>

#include "accrete/model/model.hpp"
#include "accrete/onnx/graph.hpp"

namespace accrete::onnx {

/// Features of the graph, in this order: numbers minus their means, ramps minus their means (0 where missing), gap
/// flags.
///
/// Scales are folded into the hidden weights. Means are subtracted in the graph, because a mean much larger than the
/// scale would cancel the digits of the sums; the remainder of a mean beyond single precision goes into the hidden
/// bias. Bin boundaries already are single precision.
class NumericColumns {
 public:
  /// Throws UsageError if the standardisation of a column exceeds the range of single precision.
  explicit NumericColumns(const model::Model& model);

  std::size_t size() const { return numbers_.size(); }

  /// Adds the features and returns them; sets `filled` to the numbers with missing values filled.
  std::string add_features(Graph& graph, const std::string& numbers, std::string& filled) const;

  /// units x features, in the order of add_features.
  std::string add_weights(Graph& graph) const;

  /// Hidden bias of each unit.
  std::vector<double> bias() const;

 private:
  /// A feature from which the graph subtracts mean + rest, where mean is single precision.
  struct CentredFeature {
    std::size_t feature;  ///< index in the network
    double mean, rest, scale;
  };

  struct BinFeature {
    std::int64_t column;  ///< index among the numeric columns
    double start, width;
    CentredFeature centred;
  };

  struct FlagFeature {
    std::int64_t column;  ///< index among the numeric columns
    std::size_t feature;  ///< index in the network
  };

  static CentredFeature centre(std::size_t feature, double mean, double scale);
  void add(const data::Input& input, const data::ColumnEncoding& column);
  void add_number(const data::Input& input, const data::Standardised& by, std::size_t feature);
  void add_bins(const data::Input& input, const data::Bins& by, std::size_t first_feature);
  std::string add_bin_features(Graph& graph, const std::string& numbers, const std::string& missing) const;

  const network::Network& network_;
  std::vector<CentredFeature> numbers_;  ///< one per numeric column
  std::vector<BinFeature> bins_;         ///< column by column
  std::vector<FlagFeature> gap_flags_;
};

}  // namespace accrete::onnx
