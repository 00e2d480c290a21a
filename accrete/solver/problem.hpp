#pragma once
// The words solvers and their callers share. A solver is asked and told: it hands out a point, is told value and
// gradient there, and answers whether to go on. It knows nothing of data, and owns no memory: the caller brings a
// workspace, so that many small fits allocate nothing.
//
//   Solver solver(options, start, workspace);
//   do value = evaluate(solver.point(), solver.batch(), gradient); while (solver.tell(value, gradient));
//   solver.best() is the answer, solver.reason() says why it stopped.

#include <cstddef>
#include <cstdint>

namespace accrete::solver {

enum class Reason {
  running,
  converged,    ///< the relative decrease fell under the tolerance
  iterations,   ///< the allowed number of iterations (epochs) is spent
  flat,         ///< the gradient vanished
  no_progress,  ///< no step along the direction lowers the value: the limit of the arithmetic
};

const char* reason_text(Reason reason);

struct Options {
  std::size_t max_iterations = 200;  ///< iterations of L-BFGS, epochs of Adam and SGD
  double tolerance = 2.2e-9;         ///< least decrease: a share of the value (lbfgs), or absolute (adam, sgd)
  // L-BFGS
  double floor = 0.0;               ///< the decrease is measured against the value or this, whichever is larger
  double gain_tolerance = 0.0;      ///< least decrease, three times in a row: a share of all decreases so far
  double gradient_tolerance = 0.0;  ///< ends where no component of the gradient is larger
  std::size_t pairs = 10;
  double noise = 1e-14;  ///< relative rounding error of a value: smaller differences mean nothing
  // Adam and SGD
  std::size_t batches = 1;  ///< mini-batches per epoch
  double rate = 1e-3;
  double momentum = 0.9;
  std::size_t patience = 10;  ///< epochs without an improvement of `tolerance` before stopping
  bool adaptive = false;      ///< SGD: a fifth of the rate instead of stopping, until the rate is 1e-6 or less
};

/// What the next evaluation should look at.
struct Batch {
  bool all = true;        ///< every row
  std::size_t epoch = 0;  ///< else: which epoch, which mini-batch of it
  std::size_t index = 0;
};

}  // namespace accrete::solver
