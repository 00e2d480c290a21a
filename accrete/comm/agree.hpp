#pragma once
// Work that may fail on a single rank, such as reading files: all ranks learn about the failure, so that none waits
// forever.

#include <cstddef>
#include <functional>

#include "accrete/comm/communicator.hpp"

namespace accrete::comm {

/// Runs this rank's work, which must not be collective. If it throws on any rank, all ranks throw the error of the
/// lowest such rank; the message names that rank unless all ranks failed the same way. `rows` returns the number of
/// rows of a rank that succeeded; if given, row numbers in messages count from the first row of rank 0.
void agree(Communicator& comm, const std::function<void()>& work, const std::function<std::size_t()>& rows = {});

/// Runs the work on rank 0 only, such as writing a file; all ranks throw its error.
void run_on_rank_0(Communicator& comm, const std::function<void()>& work);

/// Throws core::Error on all ranks unless they run the same version of accrete with the same instruction set; others
/// would round differently.
void require_same_program(Communicator& comm);

}  // namespace accrete::comm
