#pragma once
// The prefix of the network that the graph evaluates: all steps, or as many as a graph input requests.

#include <cstdint>
#include <span>
#include <string>

#include "accrete/network/network.hpp"
#include "accrete/onnx/graph.hpp"

namespace accrete::onnx {

class Dial {
 public:
  /// Name of the graph input.
  static constexpr const char* input = "units";

  /// Keeps both references. With at_run_time, adds the optional input and the nodes that round it down to whole steps,
  /// at least one. Values below 1 or above the network's units mean all units. The network must have at least one step.
  Dial(Graph& graph, const network::Network& network, bool at_run_time);

  /// The slice of a constant that belongs to the units in use; `axis` is the axis of units.
  std::string prefix(const std::string& constant, std::int64_t axis);

  /// The output bias for the units in use, 1 x outputs, selected from (steps + 1) x outputs biases.
  std::string bias(const std::string& name, std::size_t outputs, std::span<const double> prefix_bias);

 private:
  Graph& graph_;
  const network::Network& network_;
  bool at_run_time_;
  std::string step_, units_, first_;  ///< graph values: steps in use, units in use, and 0
};

}  // namespace accrete::onnx
