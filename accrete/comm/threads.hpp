#pragma once
// Ranks as threads of one process, in place of MPI processes: for tests and for programs without MPI.

#include <cstddef>
#include <functional>

#include "accrete/comm/communicator.hpp"

namespace accrete::comm {

/// Runs work(communicator of the rank) on one thread per rank and returns when all have finished. If a rank throws or
/// calls abort, the others throw core::Error at their next call; the first exception is rethrown.
void run_ranks(std::size_t ranks, const std::function<void(Communicator&)>& work);

}  // namespace accrete::comm
