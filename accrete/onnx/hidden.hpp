#pragma once
// From the columns that a user feeds to the weighted sums of the hidden units.

#include <string>

#include "accrete/model/model.hpp"
#include "accrete/onnx/dial.hpp"
#include "accrete/onnx/graph.hpp"

namespace accrete::onnx {

/// The model's inputs as values of the graph. When all are numeric they are one, `X`; else each column is its own.
struct Columns {
  std::string numbers;  ///< rows x numeric inputs, in their order; "" when there are none
  Names texts;          ///< rows x 1 each, of the text inputs in their order
};

Columns add_columns(Graph& graph, const data::Encoder& encoder);

struct Hidden {
  std::string sums;    ///< rows x units in use, before the activation
  std::string filled;  ///< rows x numeric inputs without gaps, infinite where the input was; "" when there are none
  std::size_t numeric_inputs = 0;
};

/// Numbers of this size, and as small, leave single precision room for what is computed from them.
inline constexpr double largest_scale = 1e30;

/// Throws UsageError for a scale that is larger, or smaller than its inverse.
void check_scale(const char* what, const std::string& name, double scale);

/// Throws UsageError when an input is so large or small that its standardisation leaves single precision.
Hidden add_hidden(Graph& graph, const model::Model& model, const Columns& columns, Dial& dial);

}  // namespace accrete::onnx
