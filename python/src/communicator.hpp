#pragma once
// A Communicator that calls a Python object.

#include <nanobind/nanobind.h>

#include <cstddef>
#include <span>

#include "accrete/comm/communicator.hpp"

namespace accrete::python {

/// Calls accrete._ranks.Ranks, which calls the user's communicator, so that the package need not link MPI. Used by a
/// single thread, with or without the GIL.
class PythonCommunicator final : public comm::Communicator {
 public:
  /// ranks: has rank, size and gather(bytes), which returns the bytes of all ranks in rank order. Requires the GIL, as
  /// does the destructor.
  explicit PythonCommunicator(nanobind::object ranks);

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }
  void all_gather(std::span<const std::byte> own, std::span<const std::size_t> sizes,
                  std::span<std::byte> all) override;
  /// Implemented as a gather, so that a failing rank can report its error whatever the others call.
  void broadcast(std::span<std::byte> data, std::size_t root) override;
  /// Throws; accrete._ranks reports the error to the other ranks.
  void abort() override;
  bool fails_everywhere() override { return true; }

 private:
  nanobind::object ranks_;
  std::size_t rank_, size_;
};

}  // namespace accrete::python
