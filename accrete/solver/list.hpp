#pragma once
// The solvers of a step. To add one, write a file like lbfgs.hpp and add its name here.

#include <cstddef>
#include <limits>

#include "accrete/core/named_list.hpp"
#include "accrete/solver/adam.hpp"
#include "accrete/solver/lbfgs.hpp"
#include "accrete/solver/sgd.hpp"

namespace accrete::solver {

using All = core::NamedTypes<Lbfgs<>, Adam, Sgd>;

/// The most parameters that a solver can minimise over.
template <class Solver>
constexpr std::size_t max_parameters(const SolverOptions& options) {
  if constexpr (requires { Solver::max_parameters(options); }) return Solver::max_parameters(options);
  return std::numeric_limits<std::size_t>::max();
}

}  // namespace accrete::solver
