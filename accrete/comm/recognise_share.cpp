#include "accrete/comm/recognise_share.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "accrete/comm/table_share.hpp"
#include "accrete/data/take_rows.hpp"

namespace accrete::comm {
namespace {

template <class T>
void append(std::vector<T>& to, std::vector<T>& more) {
  std::ranges::move(more, std::back_inserter(to));
}

/// A table with the rows of one column. The other columns are empty; their names are reserved against new columns.
data::Table table_of(const std::string& source, const std::vector<std::string>& names, std::size_t column,
                     data::Column with_rows) {
  data::Table result{.source = source, .columns = {}};
  for (const std::string& name : names) result.columns.push_back({.name = name});
  result.columns[column] = std::move(with_rows);
  return result;
}

}  // namespace

data::RecognisedColumns recognise_columns(data::Table& table, const data::RecogniseOptions& options,
                                          Communicator& comm) {
  if (comm.size() == 1) return data::recognise_columns(table, options);
  const TableShare share(table, comm);
  std::vector<std::size_t> own(share.rows().count());
  std::iota(own.begin(), own.end(), share.rows().first());
  data::RecognisedColumns found;
  std::vector<std::string> names;
  for (const data::Column& column : table.columns) names.push_back(column.name);
  std::vector<data::Column> columns;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const bool is_kept = std::ranges::find(options.keep, names[c]) != options.keep.end();
    const bool is_read = table.columns[c].kind == data::Column::Kind::text && !is_kept;
    data::Column whole = is_read ? share.gather_column(c) : data::Column{.name = names[c]};
    data::Table gathered = table_of(table.source, names, c, std::move(whole));
    data::RecognisedColumns more = data::recognise_columns(gathered, options);
    append(found.converted, more.converted);
    append(found.nearly_numeric, more.nearly_numeric);
    append(found.numeric, more.numeric);
    append(found.identifiers, more.identifiers);
    // The column may have been removed, or replaced by several at the same position.
    const std::size_t others = names.size() - 1, made = gathered.columns.size() - others;
    for (std::size_t i = 0; i < made; ++i) {
      data::Column& now = gathered.columns[c + i];
      columns.push_back(is_read ? data::take_rows(now, own) : std::move(table.columns[c]));
      columns.back().format = now.format;
    }
  }
  table.columns = std::move(columns);
  return found;
}

}  // namespace accrete::comm
