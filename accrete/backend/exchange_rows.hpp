#pragma once
// The rows that a step has drawn, across ranks. They are renumbered and divided into chunks like all rows, so that sums
// are bit-identical for any number of ranks; a row is sent to the rank that has its chunk.

#include <cstddef>
#include <span>

#include "accrete/backend/resident_rows.hpp"
#include "accrete/comm/communicator.hpp"
#include "accrete/data/features.hpp"

namespace accrete::backend {

/// Fills this rank's rows of result.chunks from the listed rows of all ranks. Does not support sparse features.
void exchange_rows(const ResidentRows& from, std::span<const std::size_t> rows, comm::Communicator& comm,
                   data::Features& selected, ResidentRows& result);

}  // namespace accrete::backend
