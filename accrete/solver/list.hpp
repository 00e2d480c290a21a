#pragma once
// The solvers of a step. To add one, write a file like lbfgs.hpp and add its name here.

#include "accrete/core/named_list.hpp"
#include "accrete/solver/adam.hpp"
#include "accrete/solver/lbfgs.hpp"
#include "accrete/solver/sgd.hpp"

namespace accrete::solver {

using All = core::NamedTypes<Lbfgs<>, Adam, Sgd>;

}  // namespace accrete::solver
