#pragma once
// How much of the network the graph uses: all that is written, or as much as an input of the graph says.

#include <cstdint>
#include <span>
#include <string>

#include "accrete/network/network.hpp"
#include "accrete/onnx/graph.hpp"

namespace accrete::onnx {

class Dial {
 public:
  /// What the input is called.
  static constexpr const char* input = "units";

  /// Keeps both references. With at_run_time, adds the optional input and the nodes that turn it into whole steps: a
  /// number within a step counts as the steps before it, one within the first step as that step, one beyond the network
  /// as all of it; so does one below 1, as everywhere in accrete. The network needs a step.
  Dial(Graph& graph, const network::Network& network, bool at_run_time);

  /// The part of a constant that belongs to the units in use, which lie along this axis.
  std::string cut(const std::string& constant, std::int64_t axis);

  /// The output bias for the units in use, 1 x outputs, from (steps + 1) x outputs biases.
  std::string bias(const std::string& name, std::size_t outputs, std::span<const double> prefix_bias);

 private:
  Graph& graph_;
  const network::Network& network_;
  bool at_run_time_;
  std::string step_, units_, first_;  ///< values of the graph: how many steps, how many units, and 0
};

}  // namespace accrete::onnx
