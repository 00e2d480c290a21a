#pragma once
// The ranks that mpirun or srun started (library accrete_mpi).

#include <cstddef>
#include <memory>

#include "accrete/comm/communicator.hpp"

namespace accrete::comm {

/// The number of processes that an MPI launcher has started, or 0 if there is none.
std::size_t launched_ranks();

/// All ranks of the launcher, or one process if there is none. At most one such object may exist; its destructor leaves
/// MPI. Throws core::UsageError if a launcher has started several processes and accrete is built without MPI.
std::unique_ptr<Communicator> open_world();

}  // namespace accrete::comm
