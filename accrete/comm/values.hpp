#pragma once
// Collective operations on numbers and text.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "accrete/comm/communicator.hpp"

namespace accrete::comm {

/// The values of all ranks, in rank order.
template <class T>
struct Gathered {
  std::vector<T> values;
  std::vector<std::size_t> starts;  ///< the first value of each rank, then the number of values

  std::span<const T> of(std::size_t rank) const {
    return std::span(values).subspan(starts[rank], starts[rank + 1] - starts[rank]);
  }
};

/// Gathers parts whose lengths all ranks know.
template <class T>
Gathered<T> gather_parts(Communicator& comm, std::span<const T> own, std::span<const std::size_t> lengths) {
  static_assert(std::is_trivially_copyable_v<T>);
  Gathered<T> result{{}, {0}};
  std::vector<std::size_t> bytes;
  for (const std::size_t length : lengths) {
    bytes.push_back(length * sizeof(T));
    result.starts.push_back(result.starts.back() + length);
  }
  result.values.resize(result.starts.back());
  comm.all_gather(std::as_bytes(own), bytes, std::as_writable_bytes(std::span(result.values)));
  return result;
}

/// Gathers one value per rank.
template <class T>
std::vector<T> gather_value(Communicator& comm, const T& own) {
  return gather_parts(comm, std::span(&own, 1), std::vector<std::size_t>(comm.size(), 1)).values;
}

/// Gathers any number of values per rank.
template <class T>
Gathered<T> gather_values(Communicator& comm, std::span<const T> own) {
  const auto lengths = gather_value<std::uint64_t>(comm, own.size());
  return gather_parts(comm, own, std::vector<std::size_t>(lengths.begin(), lengths.end()));
}

/// The sum over all ranks.
std::size_t sum(Communicator& comm, std::size_t own);

/// The texts of each rank.
std::vector<std::vector<std::string>> gather_texts(Communicator& comm, std::span<const std::string> own);

/// The value of rank 0.
template <class T>
T broadcast_value(Communicator& comm, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  comm.broadcast(std::as_writable_bytes(std::span(&value, 1)), 0);
  return value;
}

/// The text of rank 0.
std::string broadcast_text(Communicator& comm, std::string text);

/// The number of lower ranks that run on the same host.
std::size_t rank_on_host(Communicator& comm);

/// True on all ranks if `own` is true on any.
bool is_any(Communicator& comm, bool own);

}  // namespace accrete::comm
