#pragma once
// The ranks started by mpirun or srun (library accrete_mpi).

#include <cstddef>
#include <memory>

#include "accrete/comm/communicator.hpp"

namespace accrete::comm {

/// The number of processes that an MPI launcher has started; 0 without a launcher.
std::size_t launched_ranks();

/// All ranks of the launcher, or a single process without a launcher. At most one such object may exist; its destructor
/// finalises MPI. Throws core::UsageError if a launcher has started several processes but accrete was built without
/// MPI.
std::unique_ptr<Communicator> open_world();

}  // namespace accrete::comm
