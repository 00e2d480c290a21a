#pragma once
// Groups the rows of a table by the value of one column.

#include <cstddef>
#include <string>
#include <vector>

#include "accrete/data/table.hpp"

namespace accrete::data {

struct RowGroups {
  std::vector<std::string> names;   ///< distinct values as text; rows with a missing value form one more, unnamed group
  std::vector<std::size_t> of_row;  ///< index into names, or names.size() where the value is missing
};

RowGroups read_groups(const Column& column);

}  // namespace accrete::data
