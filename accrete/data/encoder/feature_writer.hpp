#pragma once
// Renders a ColumnEncoding as numbers: raw values in, features out.

#include <cstddef>

#include "accrete/data/encoder/column_encoding.hpp"

namespace accrete::data {

/// How a matrix stores the features of a column.
enum class FeatureStorage {
  expanded,  ///< every feature is a stored column
  compact,   ///< bins, or several levels, are one stored column of raw values; data::Features computes from it
  lookup,    ///< a category or a binned column is one stored column: the level's code, or the position on its grid
};

/// Compact storage keeps a category of fewer levels as one stored column per level.
inline constexpr std::size_t min_compact_levels = 4;
inline bool is_coded(const OneHot& by, FeatureStorage storage) {
  return storage == FeatureStorage::compact && by.levels.size() >= min_compact_levels;
}

/// True if one stored column holds all that the features of the column are computed from.
inline bool is_single_column(const ColumnEncoding& column, FeatureStorage storage) {
  return storage == FeatureStorage::lookup && (column.get<Bins>() || column.get<OneHot>());
}

/// Stored columns of a group, and of all groups.
std::size_t stored_columns(const FeatureGroup& group, FeatureStorage storage);
std::size_t stored_columns(const ColumnEncoding& column, FeatureStorage storage);

/// Writes stored column c of raw value x[i] to values[c * stride + i]. x may be the same array as values. Returns false
/// if a number is infinite; the written values are then undefined.
bool write_features(const ColumnEncoding& column, FeatureStorage storage, const float* x, std::size_t count,
                    float* values, std::size_t stride);

/// Writes the column.width() features of one raw value. Returns false for an infinite number. The same bits as
/// write_features.
bool write_row(const ColumnEncoding& column, float x, float* values);

}  // namespace accrete::data
