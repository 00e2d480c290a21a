#pragma once
// The functions of the exported C header as text, in which @ stands for the model's name. Internal to io/c_source.

#include <string>

#include "accrete/loss/formula.hpp"

namespace accrete::io {

/// The features of a model that change the generated code.
struct CVariant {
  bool plain = false;      ///< every input is exactly one numeric feature
  bool wide = false;       ///< features are computed in double
  bool sparse = false;     ///< every step lists the features it reads
  bool bins = false;       ///< some inputs have bins
  std::string index;       ///< C type of a listed feature
  std::string activation;  ///< C body of the function
  loss::Link link = loss::Link::identity;
  bool sorted = false;    ///< the outputs are quantiles in ascending order
  bool monotone = false;  ///< computes in double, so that rounding cannot break the order of neighbouring inputs
};

/// @_predict and the functions it calls. They read the tables @_weights_, @_bias_, @_step_units_, @_standard_ and,
/// unless excluded by the variant, @_step_width_, @_listed_, @_first_, @_values_, @_bins_ and @_first_bin_.
std::string c_functions(const CVariant& variant);

/// The statements of @_predict that add the units of `step` to the scores.
std::string c_step_body(const CVariant& variant);

/// The statements of @_predict that turn the scores in `out` into predictions.
std::string c_link_body(const CVariant& variant);

}  // namespace accrete::io
