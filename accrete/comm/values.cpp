#include "accrete/comm/values.hpp"

#include <unistd.h>

#include <algorithm>
#include <numeric>

namespace accrete::comm {

std::size_t sum(Communicator& comm, std::size_t own) {
  const auto counts = gather_value<std::uint64_t>(comm, own);
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

std::vector<std::vector<std::string>> gather_texts(Communicator& comm, std::span<const std::string> own) {
  std::vector<std::uint64_t> lengths;
  std::string joined;
  for (const std::string& text : own) {
    lengths.push_back(text.size());
    joined += text;
  }
  const auto all_lengths = gather_values<std::uint64_t>(comm, lengths);
  const auto all = gather_values<char>(comm, joined);
  std::vector<std::vector<std::string>> result(comm.size());
  for (std::size_t r = 0; r < comm.size(); ++r) {
    const char* at = all.of(r).data();
    for (const std::uint64_t length : all_lengths.of(r)) {
      result[r].emplace_back(at, length);
      at += length;
    }
  }
  return result;
}

std::string broadcast_text(Communicator& comm, std::string text) {
  text.resize(broadcast_value<std::uint64_t>(comm, text.size()));
  comm.broadcast(std::as_writable_bytes(std::span(text)), 0);
  return text;
}

std::size_t rank_on_host(Communicator& comm) {
  std::string host(256, '\0');
  if (gethostname(host.data(), host.size() - 1) != 0) host = "unknown";
  const auto hosts = gather_texts(comm, std::span(&host, 1));
  return static_cast<std::size_t>(
      std::count(hosts.begin(), hosts.begin() + static_cast<std::ptrdiff_t>(comm.rank()), std::vector{host}));
}

bool is_any(Communicator& comm, bool own) {
  return std::ranges::count(gather_value<char>(comm, own ? 1 : 0), 1) > 0;
}

}  // namespace accrete::comm
