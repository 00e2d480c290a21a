#pragma once
// Where the evaluations of the CPU backend run: on the CPU (cpu_evaluator.hpp) or on a device
// (cuda/device_evaluator.hpp). Scores, residuals and Newton sums are needed only once per step and are always computed
// on the CPU.

#include <memory>
#include <span>

#include "accrete/backend/resident_rows.hpp"
#include "accrete/backend/rows.hpp"

namespace accrete::backend {

/// The evaluation part of TrainingRows for one view; the functions of the same name are specified there.
class BlockEvaluator {
 public:
  virtual ~BlockEvaluator() = default;
  /// rows: the rows of the view. Keeps references to them, to the view's features and to the problem's workers.
  virtual void set_view(const ResidentRows& rows, const BlockShape& shape, const StepView& view,
                        const TrainingProblem& problem) = 0;
  virtual void set_objective(StepObjective objective) = 0;
  virtual double evaluate(std::span<const double> parameters, std::span<double> gradient) = 0;
  virtual void project(std::span<const double> hidden, std::span<double> output_layer) = 0;
  virtual void curvature(std::span<double> matrix) = 0;
  /// The hidden outputs of all tiles of these rows if the last projection computed them for this block, else null. They
  /// are bit-identical to those of a forward pass.
  virtual const float* hidden_outputs(const network::Block& block, const ResidentRows& rows) const = 0;
  virtual std::size_t rows() const = 0;  ///< rows of the view, on all ranks
};

/// CPU backend rows whose objective the given evaluator evaluates.
std::unique_ptr<TrainingRows> make_cpu_rows(const TrainingProblem& problem, std::unique_ptr<BlockEvaluator> evaluator);

}  // namespace accrete::backend
