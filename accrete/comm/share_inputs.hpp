#pragma once
// Encodings of columns that different ranks have learnt.

#include <span>

#include "accrete/comm/communicator.hpp"
#include "accrete/data/input.hpp"

namespace accrete::comm {

/// Input i was learnt by rank i % size; gives all ranks what the others have learnt. Names, kinds and formats are known
/// and not sent.
void share_inputs(std::span<data::Input> inputs, Communicator& comm);

}  // namespace accrete::comm
