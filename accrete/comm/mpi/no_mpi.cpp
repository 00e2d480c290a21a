// Replaces mpi.cpp in a build without MPI.

#include "accrete/comm/mpi/world.hpp"
#include "accrete/comm/one_process.hpp"
#include "accrete/core/error.hpp"

namespace accrete::comm {

std::unique_ptr<Communicator> open_world() {
  if (launched_ranks() > 1)
    throw core::UsageError(
        "an MPI launcher started this command, but it was built without MPI; build it with -DACCRETE_MPI=ON");
  return std::make_unique<OneProcess>();
}

}  // namespace accrete::comm
