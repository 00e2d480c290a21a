#include "accrete/solver/problem.hpp"

namespace accrete::solver {

const char* reason_text(Reason reason) {
  switch (reason) {
    case Reason::running:
      return "still running";
    case Reason::converged:
      return "converged";
    case Reason::iterations:
      return "reached the iteration limit";
    case Reason::flat:
      return "the gradient vanished";
    case Reason::no_progress:
      return "no step lowers the value";
  }
  return "";
}

}  // namespace accrete::solver
