#pragma once
// Which rows the ranks send each other so that every rank gets its share of a list of rows. The plan is made once and
// used for every column.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/comm/share.hpp"
#include "accrete/comm/values.hpp"

namespace accrete::comm {

class RowExchange {
 public:
  /// owned: the rows that each rank has. list: rows of all ranks, the same on all of them. wanted: the part of the list
  /// that each rank gets.
  RowExchange(const Share& owned, std::span<const std::size_t> list, const Share& wanted);

  /// The values of this rank's part of the list. Collective.
  template <class T, class Values>
  void take(Communicator& comm, std::span<const T> own, Values& taken) const {
    std::vector<T> sent;
    for (const Run& run : sent_) sent.insert(sent.end(), own.begin() + run.first, own.begin() + run.first + run.count);
    const auto all = gather_parts<T>(comm, sent, lengths_);
    taken.reserve(count_);
    for (const Run& run : received_) {
      const std::span<const T> from = run.rank == rank_ ? own : all.of(run.rank);
      taken.insert(taken.end(), from.begin() + run.first, from.begin() + run.first + run.count);
    }
  }

 private:
  /// Consecutive values of a rank: rows of its table if the rank is this one, else values that it sends.
  struct Run {
    std::size_t rank, first, count;
  };
  static void append(std::vector<Run>& runs, std::size_t rank, std::size_t at);

  std::size_t rank_, count_;
  std::vector<std::size_t> lengths_;  ///< number of values that each rank sends
  std::vector<Run> sent_, received_;
};

}  // namespace accrete::comm
