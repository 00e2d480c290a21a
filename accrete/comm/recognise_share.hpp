#pragma once
// data::recognise_columns for a table whose rows are divided among ranks.

#include "accrete/comm/communicator.hpp"
#include "accrete/data/recognise.hpp"
#include "accrete/data/table.hpp"

namespace accrete::comm {

/// Converts and removes columns of this rank's rows as data::recognise_columns would for the complete table, and
/// returns the same notes. Text columns must have the levels of the complete table (merge_levels). Gathers one text
/// column at a time.
data::RecognisedColumns recognise_columns(data::Table& table, const data::RecogniseOptions& options,
                                          Communicator& comm);

}  // namespace accrete::comm
