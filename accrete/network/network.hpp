#pragma once
// The assembled network: one ordinary hidden layer whose units stand in the order they were grown.
//
//   score_k(x) = bias(step)[k] + sum over the first units of step: output_weights(u, k) * act(hidden_bias[u] +
//   hidden_weights(u) . x)
//
// Every step brought its own output bias, so the network keeps one output bias per prefix: row t of prefix_bias is
// the bias of the network cut after t steps (row 0 is the start value alone). A prefix is thus exact and free.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/activation/list.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/network/block.hpp"
#include "accrete/network/unit_lanes.hpp"

namespace accrete::network {

class Network {
 public:
  Network() = default;
  /// No units yet; start has one value per output.
  Network(std::size_t features, activation::Activation activation, std::span<const double> start);

  /// The parts as a file has them; see the accessors for shapes. Throws core::DataError when they disagree.
  struct Parts {
    activation::Activation activation;
    std::size_t features = 0;
    std::size_t outputs = 0;
    std::vector<std::size_t> step_ends;
    std::vector<float> hidden_weights, hidden_bias, output_weights;
    std::vector<double> prefix_bias;
  };
  explicit Network(Parts parts);

  /// Appends a step. The block's features are spread over the full width, the others get weight 0.
  void append(const Block& block);

  std::size_t features() const { return parts_.features; }
  std::size_t outputs() const { return parts_.outputs; }
  std::size_t units() const { return parts_.hidden_bias.size(); }
  std::size_t steps() const { return parts_.step_ends.size(); }
  activation::Activation activation() const { return parts_.activation; }

  std::size_t units_after(std::size_t steps) const { return steps == 0 ? 0 : parts_.step_ends[steps - 1]; }
  /// Most steps whose units do not exceed the given number.
  std::size_t steps_within(std::size_t units) const;

  std::span<const float> hidden_weights() const { return parts_.hidden_weights; }  ///< units x features
  std::span<const float> hidden_bias() const { return parts_.hidden_bias; }        ///< units
  std::span<const float> output_weights() const { return parts_.output_weights; }  ///< units x outputs
  std::span<const double> prefix_bias() const { return parts_.prefix_bias; }       ///< (steps+1) x outputs
  std::span<const double> bias_after(std::size_t steps) const {
    return std::span(parts_.prefix_bias).subspan(steps * parts_.outputs, parts_.outputs);
  }
  std::span<const std::size_t> step_ends() const { return parts_.step_ends; }  ///< units after each step
  const UnitLanes& lanes() const { return lanes_; }                            ///< the weights again, for one row

  /// The step as it was appended, its features listed as all; its bias is left 0 (see bias_after).
  Block block(std::size_t step) const;

  /// Drops every unit after the given number of steps.
  void truncate(std::size_t steps);

 private:
  Parts parts_;
  UnitLanes lanes_;
};

}  // namespace accrete::network
