#pragma once
// Row numbers in messages. A message keeps a row as data, like a parameter, because each front end counts rows the way
// its users do: the command line from 1, Python from 0. Both say so.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "accrete/core/message.hpp"

namespace accrete::core {

/// The row with this index, counted from 0.
ParameterReference row(std::size_t index);

/// How a front end names rows: "data row 3 (counting from 1)".
struct RowNames {
  std::string_view word = "row";
  std::size_t first = 1;  ///< number of the first row

  std::string name(std::size_t index) const;
  /// Unset if the reference is not a row.
  std::optional<std::string> name(const ParameterReference& reference) const;
};

}  // namespace accrete::core
