#pragma once
// A model's numbers as the C header keeps them; the inside of io/c_source.
//
// What costs no digits is done beforehand: the two values of a one-hot feature become 0 and 1, and the target's scale
// and shift part of the output layer. Numbers are standardised at run time, as the library does it, because a mean that
// is large beside the spread would drown the hidden bias it was folded into.

#include <cstddef>
#include <vector>

#include "accrete/model/model.hpp"

namespace accrete::io {

struct CNetwork {
  /// Features are listed step by step; otherwise every unit has a weight for each of them.
  bool sparse = false;
  std::vector<std::size_t> step_units;  ///< of each step
  std::vector<std::size_t> step_width;  ///< of each step: features listed; empty unless sparse
  std::vector<std::size_t> listed;      ///< the features that steps look at, step by step; empty unless sparse
  std::vector<float> weights;           ///< unit by unit: hidden bias, a weight per feature, a weight per output
  std::vector<float> bias;              ///< (steps + 1) x outputs: of the network cut after so many steps
};

/// Throws DataError when a number is beyond what a C float holds.
CNetwork c_network(const model::Model& model);

/// How the numeric inputs are standardised: in float or, where float cannot, in double. Of either kind of table one is
/// empty.
struct CStandard {
  bool wide = false;            ///< in double
  std::vector<float> narrow;    ///< inputs x 3: the mean's leading digits, the rest of it, scale (0 marks text)
  std::vector<double> doubles;  ///< inputs x 2: mean, 1 / scale (0 marks text)
  /// Bins x 4: first knot, width, slope, and the feature's value before the bin.
  std::vector<float> narrow_bins;
  std::vector<double> wide_bins;
  std::vector<std::size_t> first_bin;  ///< of each input

  bool bins() const { return !narrow_bins.empty() || !wide_bins.empty(); }
};

CStandard c_standard(const data::Encoder& encoder);

}  // namespace accrete::io
