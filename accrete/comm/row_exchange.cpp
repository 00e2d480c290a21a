#include "accrete/comm/row_exchange.hpp"

namespace accrete::comm {

RowExchange::RowExchange(const Share& owned, std::span<const std::size_t> list, const Share& wanted)
    : rank_(owned.rank), count_(wanted.count()), lengths_(wanted.starts.size() - 1, 0) {
  std::size_t owner = 0;
  for (std::size_t i = 0, to = 0; i < list.size(); ++i) {
    const std::size_t row = list[i];
    while (i >= wanted.starts[to + 1]) ++to;
    if (row < owned.starts[owner] || row >= owned.starts[owner + 1]) owner = owned.owner_of(row);
    const bool stays = owner == to;
    const std::size_t at = owner == rank_ ? row - owned.first() : lengths_[owner];
    if (to == rank_) append(received_, owner, at);
    if (!stays && owner == rank_) append(sent_, to, at);
    lengths_[owner] += stays ? 0 : 1;
  }
}

/// Lengthens the last run if the value follows it.
void RowExchange::append(std::vector<Run>& runs, std::size_t rank, std::size_t at) {
  if (!runs.empty() && runs.back().rank == rank && runs.back().first + runs.back().count == at)
    ++runs.back().count;
  else
    runs.push_back({rank, at, 1});
}

}  // namespace accrete::comm
