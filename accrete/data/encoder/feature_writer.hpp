#pragma once
// Renders a ColumnEncoding as numbers: raw values in, features out.

#include <cstddef>

#include "accrete/data/encoder/column_encoding.hpp"

namespace accrete::data {

/// How a matrix stores the features of a column.
enum class FeatureStorage {
  expanded,  ///< every feature is a stored column
  compact,   ///< bins and larger categories are one stored column of raw values, from which data::Features computes
  lookup,    ///< a category or binned column is one stored column: level code or grid position
};

/// Categories with fewer levels keep one stored column per level in compact storage.
inline constexpr std::size_t min_compact_levels = 4;
inline bool is_coded(const OneHot& by, FeatureStorage storage) {
  return storage == FeatureStorage::compact && by.levels.size() >= min_compact_levels;
}

/// True if all features of the column are computed from one stored column.
inline bool is_single_column(const ColumnEncoding& column, FeatureStorage storage) {
  return storage == FeatureStorage::lookup && (column.get<Bins>() || column.get<OneHot>());
}

/// Number of stored columns of a group, or of all groups.
std::size_t stored_columns(const FeatureGroup& group, FeatureStorage storage);
std::size_t stored_columns(const ColumnEncoding& column, FeatureStorage storage);

/// Writes stored column c of raw value x[i] to values[c * stride + i]. x may alias values. Returns false if a number is
/// infinite; the written values are then undefined.
bool write_features(const ColumnEncoding& column, FeatureStorage storage, const float* x, std::size_t count,
                    float* values, std::size_t stride);

/// Writes the column.width() features of one raw value, bit-identical to those of write_features. Returns false for an
/// infinite number.
bool write_row(const ColumnEncoding& column, float x, float* values);

}  // namespace accrete::data
