#pragma once
// The solvers for a step's sub-network. A new one is a file like its neighbours and one name here.

#include "accrete/core/named_list.hpp"
#include "accrete/solver/adam.hpp"
#include "accrete/solver/lbfgs.hpp"
#include "accrete/solver/sgd.hpp"

namespace accrete::solver {

using All = core::NamedTypes<Lbfgs<>, Adam, Sgd>;

}  // namespace accrete::solver
