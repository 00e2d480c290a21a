#pragma once
// The prefix of the network that the graph uses: all steps, or as many as an input of the graph asks for.

#include <cstdint>
#include <span>
#include <string>

#include "accrete/network/network.hpp"
#include "accrete/onnx/graph.hpp"

namespace accrete::onnx {

class Dial {
 public:
  /// Name of that input.
  static constexpr const char* input = "units";

  /// Keeps both references. With at_run_time, adds the optional input and the nodes that round it down to complete
  /// steps, at least one. Less than 1 or more than the network has means all units. The network needs a step.
  Dial(Graph& graph, const network::Network& network, bool at_run_time);

  /// The part of a constant that belongs to the units in use, which are along this axis.
  std::string prefix(const std::string& constant, std::int64_t axis);

  /// The output bias for the units in use, 1 x outputs, from (steps + 1) x outputs biases.
  std::string bias(const std::string& name, std::size_t outputs, std::span<const double> prefix_bias);

 private:
  Graph& graph_;
  const network::Network& network_;
  bool at_run_time_;
  std::string step_, units_, first_;  ///< values of the graph: steps in use, units in use, and 0
};

}  // namespace accrete::onnx
