#pragma once
// The rows that a step has drawn, across ranks. They are numbered anew and divided into chunks like all rows, so that
// the sums have the same bits for any number of ranks; rows whose chunk is another rank's are sent there.

#include <cstddef>
#include <span>

#include "accrete/backend/resident_rows.hpp"
#include "accrete/comm/communicator.hpp"
#include "accrete/data/features.hpp"

namespace accrete::backend {

/// Fills the rows of result.chunks that are this rank's, from the listed rows of all ranks. Not for sparse features.
void exchange_rows(const ResidentRows& from, std::span<const std::size_t> rows, comm::Communicator& comm,
                   data::Features& selected, ResidentRows& result);

}  // namespace accrete::backend
