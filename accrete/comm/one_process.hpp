#pragma once
// A program that runs alone: rank 0 of 1.

#include <algorithm>

#include "accrete/comm/communicator.hpp"
#include "accrete/core/error.hpp"

namespace accrete::comm {

/// Does not count traffic, so that threads may share it.
class OneProcess final : public Communicator {
 public:
  std::size_t rank() const override { return 0; }
  std::size_t size() const override { return 1; }
  void abort() override { throw core::Error("the fit was aborted"); }
  bool fails_everywhere() override { return true; }

  void all_gather(std::span<const std::byte> own, std::span<const std::size_t>, std::span<std::byte> all) override {
    std::ranges::copy(own, all.begin());
  }
  void broadcast(std::span<std::byte>, std::size_t) override {}
};

}  // namespace accrete::comm
