#pragma once
// The network: all blocks as one hidden layer, units in step order. The scores of its first t steps are
//
//   score_k(x) = prefix_bias(t, k) + sum_{u < units_after(t)} output_weights(u, k) * act(hidden_bias(u) +
//                hidden_weights(u) . x)
//
// Every block has its own output bias, so the network stores one output bias per prefix: row t of prefix_bias is the
// bias after t steps, row 0 the start score. Predicting with a prefix is therefore exact and needs no other weights.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/activation/list.hpp"
#include "accrete/core/content_id.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/network/block.hpp"
#include "accrete/network/interleaved_weights.hpp"

namespace accrete::network {

class Network {
 public:
  Network() = default;
  /// A network without units. start: one score per output.
  Network(std::size_t features, activation::Activation activation, std::span<const double> start);

  /// The arrays stored in a model file; see the accessors for their shapes.
  struct Arrays {
    activation::Activation activation;
    std::size_t features = 0;
    std::size_t outputs = 0;
    std::vector<std::size_t> step_ends;
    std::vector<float> hidden_weights, hidden_bias, output_weights;
    std::vector<double> prefix_bias;
  };
  /// Throws core::DataError if the sizes disagree or a value is not finite.
  explicit Network(Arrays arrays);

  /// Appends a step. Features that the block does not read get weight 0. Throws core::UsageError if the block does not
  /// fit the network.
  void append(const Block& block);

  std::size_t features() const { return arrays_.features; }
  std::size_t outputs() const { return arrays_.outputs; }
  std::size_t units() const { return arrays_.hidden_bias.size(); }
  std::size_t steps() const { return arrays_.step_ends.size(); }
  activation::Activation activation() const { return arrays_.activation; }

  std::size_t units_after(std::size_t steps) const { return steps == 0 ? 0 : arrays_.step_ends[steps - 1]; }
  /// The largest number of steps that has at most `units` units.
  std::size_t steps_within(std::size_t units) const;

  std::span<const float> hidden_weights() const { return arrays_.hidden_weights; }  ///< units x features
  std::span<const float> hidden_bias() const { return arrays_.hidden_bias; }        ///< units
  std::span<const float> output_weights() const { return arrays_.output_weights; }  ///< units x outputs
  std::span<const double> prefix_bias() const { return arrays_.prefix_bias; }       ///< (steps+1) x outputs
  std::span<const double> bias_after(std::size_t steps) const {
    return std::span(arrays_.prefix_bias).subspan(steps * arrays_.outputs, arrays_.outputs);
  }
  std::span<const std::size_t> step_ends() const { return arrays_.step_ends; }  ///< units after each step
  const InterleavedWeights& interleaved() const { return interleaved_; }        ///< copy for row_kernel.hpp

  /// Makes scores exactly monotone where the signs of the weights imply it, by evaluating activations in double.
  void require_exact_activation() { exact_activation_ = true; }
  bool exact_activation() const { return exact_activation_; }

  const core::ContentId& content() const { return content_; }  ///< equal for copies

  /// The block of a step, expanded to all features, with output bias 0 (bias_after has the biases).
  Block block(std::size_t step) const;

  /// Keeps the first `steps` steps.
  void truncate(std::size_t steps);

 private:
  core::ContentId content_;
  Arrays arrays_;
  InterleavedWeights interleaved_;
  bool exact_activation_ = false;
};

}  // namespace accrete::network
