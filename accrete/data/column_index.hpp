#pragma once
// Finds the columns of a table by name; Table::find compares every name, which is too slow for one lookup per column.

#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "accrete/data/table.hpp"

namespace accrete::data {

class ColumnIndex {
 public:
  /// Keeps a reference to the table's names: valid until its columns change.
  explicit ColumnIndex(const Table& table) {
    columns_.reserve(table.columns.size());
    for (std::size_t c = 0; c < table.columns.size(); ++c) columns_.emplace(table.columns[c].name, c);
  }

  /// As Table::find.
  std::optional<std::size_t> find(std::string_view name) const {
    const auto found = columns_.find(name);
    return found == columns_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::unordered_map<std::string_view, std::size_t> columns_;
};

}  // namespace accrete::data
