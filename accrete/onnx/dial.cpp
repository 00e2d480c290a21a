#include "accrete/onnx/dial.hpp"

#include <vector>

namespace accrete::onnx {

Dial::Dial(Graph& graph, const network::Network& network, bool at_run_time)
    : graph_(graph), network_(network), at_run_time_(at_run_time) {
  if (!at_run_time_) return;
  const std::vector<std::int64_t> ends(network.step_ends().begin(), network.step_ends().end());
  const std::vector<std::int64_t> all{ends.back()}, one{1}, zero{0};
  // A required input, because ONNX Runtime warns about inputs that have a default.
  const std::string given =
      graph.integer_input(input, "how many of the first hidden units to use, rounded down to a whole step; 0: all");
  const std::string below = graph.node("Less", {given, graph.integers("one", one)}, "units_below_one");
  const std::string wanted = graph.node("Where", {below, graph.integers("all_units", all), given}, "units_wanted");
  const std::string within = graph.node("GreaterOrEqual", {wanted, graph.integers("step_ends", ends)}, "steps_within");
  const std::string ones = graph.node("Cast", {within}, "steps_counted", {{"to", Graph::Type::INT64}});
  first_ = graph.integers("zero", zero);
  step_ = graph.node("ReduceSum", {ones, first_}, "step", {{"keepdims", 1}});
  // Indexed by the number of steps; 0 steps count as 1.
  std::vector<std::int64_t> after{ends.front()};
  after.insert(after.end(), ends.begin(), ends.end());
  units_ = graph.node("Gather", {graph.integers("units_after", after), step_}, "units_used", {{"axis", 0}});
}

std::string Dial::prefix(const std::string& constant, std::int64_t axis) {
  if (!at_run_time_) return constant;
  const std::vector<std::int64_t> axes{axis};
  return graph_.node("Slice", {constant, first_, units_, graph_.integers(constant + "_axis", axes)},
                     constant + "_used");
}

std::string Dial::bias(const std::string& name, std::size_t outputs, std::span<const double> prefix_bias) {
  const auto row = [&](std::size_t steps) { return prefix_bias.subspan(steps * outputs, outputs); };
  if (!at_run_time_) return graph_.floats(name, {1, outputs}, row(network_.steps()));
  std::vector<double> rows(row(1).begin(), row(1).end());
  rows.insert(rows.end(), row(1).begin(), prefix_bias.end());
  const std::string all = graph_.floats(name, {network_.steps() + 1, outputs}, rows);
  return graph_.node("Gather", {all, step_}, name + "_used", {{"axis", 0}});
}

}  // namespace accrete::onnx
