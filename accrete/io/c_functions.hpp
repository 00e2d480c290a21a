#pragma once
// The functions of the C header, as text in which @ stands for the model's name; the inside of io/c_source.

#include <string>

#include "accrete/loss/formula.hpp"

namespace accrete::io {

/// What differs from model to model.
struct CForm {
  bool plain = false;   ///< every input is one numeric feature
  bool wide = false;    ///< numbers are standardised in double
  bool sparse = false;  ///< the features of each step are listed
  bool bins = false;    ///< some numbers have features of bins
  std::string index;    ///< type of a listed feature
  std::string activation;
  loss::Link link = loss::Link::identity;
};

/// @_predict and what it calls; reads the tables @_weights_, @_bias_, @_step_units_, @_standard_ and, where the form
/// asks for them, @_step_width_, @_listed_, @_first_, @_values_, @_bins_ and @_first_bin_.
std::string c_functions(const CForm& form);

}  // namespace accrete::io
