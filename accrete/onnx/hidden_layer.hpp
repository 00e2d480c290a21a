#pragma once
// From the graph's inputs to the weighted sums of the hidden units.

#include <string>

#include "accrete/model/model.hpp"
#include "accrete/onnx/dial.hpp"
#include "accrete/onnx/graph.hpp"

namespace accrete::onnx {

/// The model's columns as values of the graph. If all are numeric they are one input, `X`; otherwise each column is an
/// input of its own.
struct GraphColumns {
  std::string numbers;  ///< rows x numeric columns, in the model's order; "" if there are none
  Names texts;          ///< rows x 1 each: the text columns, in the model's order
};

GraphColumns add_columns(Graph& graph, const data::Encoder& encoder);

struct HiddenLayer {
  std::string sums;    ///< rows x units in use, before the activation
  std::string filled;  ///< rows x numeric columns with missing values filled; not finite where the input is not; or ""
  std::size_t numeric_columns = 0;
};

/// Scales in [1 / max_scale, max_scale] leave enough range of single precision for intermediate values of the graph.
inline constexpr double max_scale = 1e30;

/// Throws UsageError for a scale outside these bounds.
void check_scale(const char* what, const std::string& name, double scale);

/// Throws UsageError if the standardisation of a column exceeds the range of single precision.
HiddenLayer add_hidden_layer(Graph& graph, const model::Model& model, const GraphColumns& columns, Dial& dial);

}  // namespace accrete::onnx
