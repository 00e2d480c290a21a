#pragma once
// Rows of the data in messages. A message keeps a row as data, in the way it keeps parameters, because each face counts
// rows as its users do: the command from 1, Python from 0. Both say so.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "accrete/core/message.hpp"

namespace accrete::core {

/// The row at this index, from 0.
ParameterReference row(std::size_t index);

/// How a face names rows: "data row 3 (counting from 1)".
struct RowNames {
  std::string_view word = "row";
  std::size_t first = 1;  ///< number of the first row

  std::string name(std::size_t index) const;
  /// Nothing if the reference is not a row.
  std::optional<std::string> name(const ParameterReference& reference) const;
};

}  // namespace accrete::core
