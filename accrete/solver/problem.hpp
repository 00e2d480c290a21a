#pragma once
// Types shared by the solvers and their callers. Solvers use reverse communication: a solver provides a point, the
// caller tells it value and gradient there, and it returns whether to continue. It knows nothing about data and owns no
// memory: the caller provides the workspace, so that many small fits do not allocate.
//
//   Solver solver(options, start, workspace);
//   do value = evaluate(solver.point(), solver.batch(), gradient); while (solver.tell(value, gradient));
//   solver.best() is the result, solver.reason() says why it stopped.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "accrete/core/inline.hpp"

namespace accrete::solver {

enum class Reason {
  running,
  converged,    ///< the relative decrease fell below the tolerance
  iterations,   ///< max_iterations reached
  flat,         ///< the gradient vanished
  no_progress,  ///< round-off: no step along the direction lowers the value
};

const char* reason_text(Reason reason);

struct SolverOptions {
  std::size_t max_iterations = 200;  ///< iterations of L-BFGS, epochs of Adam and SGD
  double tolerance = 2.2e-9;         ///< minimum decrease: relative to the value (L-BFGS) or absolute (Adam, SGD)
  // L-BFGS. Levenberg-Marquardt also uses floor, noise and gain_tolerance, but a single decrease below gain_tolerance
  // stops it.
  double floor = 0.0;               ///< the decrease is relative to max(value, floor)
  double gain_tolerance = 0.0;      ///< stops after three consecutive decreases below this share of the total decrease
  double gradient_tolerance = 0.0;  ///< stops if no gradient component exceeds it
  std::size_t pairs = 10;           ///< stored (s, y) pairs
  double noise = 1e-14;             ///< relative rounding error of a value
  // Adam and SGD
  std::size_t batches = 1;  ///< mini-batches per epoch
  double rate = 1e-3;
  double momentum = 0.9;
  std::size_t patience = 10;  ///< stops after more than this many epochs without an improvement by `tolerance`
  bool adaptive = false;      ///< SGD: divides the rate by 5 instead of stopping, down to 1e-6
};

/// Decides when a descent on all rows has converged.
class Convergence {
 public:
  ACCRETE_HOST_DEVICE void begin(double value) { first_ = value; }

  /// After an iteration from value `before` to `value`.
  ACCRETE_HOST_DEVICE bool reached(const SolverOptions& options, double before, double value) {
    const double size = std::max({std::abs(before), std::abs(value), options.floor});
    if (before - value <= options.tolerance * size) return true;
    slow_iterations_ = before - value <= options.gain_tolerance * (first_ - value) ? slow_iterations_ + 1 : 0;
    return options.gain_tolerance > 0.0 && slow_iterations_ == 3;
  }

 private:
  double first_ = 0.0;            ///< value at the start
  unsigned slow_iterations_ = 0;  ///< consecutive iterations with a decrease below gain_tolerance
};

/// The rows of the next evaluation.
struct MiniBatch {
  bool all = true;  ///< all rows; epoch and index are unused
  std::size_t epoch = 0;
  std::size_t index = 0;  ///< of the mini-batch in its epoch
};

}  // namespace accrete::solver
