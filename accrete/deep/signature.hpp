#pragma once
// The inputs and outputs of a deep network, stored in its file with the weights, so that the network accepts later data
// of the same kind. Other libraries call it the signature of a model.

#include <cstdint>
#include <string>
#include <vector>

#include "accrete/data/encoder.hpp"
#include "accrete/data/target.hpp"

namespace accrete::deep {

/// The kind of example: a table row or an image.
struct Inputs {
  enum class Kind { table, images };

  Kind kind = Kind::table;
  data::Encoder encoder;                             ///< tables: columns and their encoding
  std::int64_t channels = 0, height = 0, width = 0;  ///< images
};

/// The inputs and outputs that the weights were trained for.
struct Signature {
  Inputs inputs;
  data::Task task = data::Task::multiclass;
  std::vector<std::string> targets;  ///< one name
  std::vector<std::string> classes;  ///< labels; empty for regression
  double shift = 0.0, scale = 1.0;   ///< regression: prediction = shift + scale * output

  /// Width of the last layer: one per class (two for binary classification), one for regression.
  std::int64_t outputs() const { return classes.empty() ? 1 : static_cast<std::int64_t>(classes.size()); }
};

}  // namespace accrete::deep
