#pragma once
// Encodes sparse columns without storing their zeros. They are scaled and never shifted, so that 0 stays 0.

#include <vector>

#include "accrete/data/encoder.hpp"
#include "accrete/data/sparse.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {

/// For each input of the encoder: true if its column of the table is sparse and its single feature is 0 where the
/// column is. A model trained on dense columns shifts them, so its inputs are dense.
std::vector<bool> sparse_inputs(const Encoder& encoder, const Table& table);

/// True if that holds for every input and there is at least one.
bool is_all_sparse(const Encoder& encoder, const Table& table);

/// The features of the flagged inputs for all rows of the table, one column each, in order.
SparseRows encode_sparse(const Encoder& encoder, const Table& table, const std::vector<bool>& inputs);

/// An encoder of the inputs that are not flagged.
Encoder dense_encoder(const Encoder& encoder, const std::vector<bool>& sparse);

/// Repeats the flag of each input for each of its features.
std::vector<bool> sparse_features(const Encoder& encoder, const std::vector<bool>& inputs);

/// True if any column is sparse.
bool has_sparse_columns(const Table& table);

}  // namespace accrete::data
