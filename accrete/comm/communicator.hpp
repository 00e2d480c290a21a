#pragma once
// The processes of one fit, called ranks, and the few collective operations by which they communicate. All ranks run
// the same program; each holds its share of the rows. Only sums and small tables are exchanged.
//
//   one process      one_process(), below
//   threads          comm/threads.hpp: ranks are threads, so that rank tests are unit tests
//   MPI              comm/mpi/world.hpp, an optional component
//
// Every rank calls the operations, in the same order. A rank that cannot continue calls abort.

#include <cstddef>
#include <span>

namespace accrete::comm {

/// Amount of data that a rank has sent.
struct Traffic {
  std::size_t messages = 0, bytes = 0;
};

class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual std::size_t rank() const = 0;  ///< 0 .. size() - 1
  virtual std::size_t size() const = 0;

  /// All-gather: gives all ranks the parts of every rank, in rank order. `sizes` has the size in bytes of each part and
  /// is the same on all ranks; `all` has space for all parts.
  virtual void all_gather(std::span<const std::byte> own, std::span<const std::size_t> sizes,
                          std::span<std::byte> all) = 0;

  /// Replaces the data on all ranks by that of `root`; the size must be the same on all ranks.
  virtual void broadcast(std::span<std::byte> data, std::size_t root) = 0;

  /// Terminates all ranks because this one cannot continue.
  virtual void abort() = 0;

  /// Called by a rank that has an error to report. Returns true if all ranks call it within a few seconds: all have the
  /// same error and end by themselves. Returns false if other ranks still wait for this one, which must then abort.
  virtual bool fails_everywhere() = 0;

  const Traffic& traffic() const { return traffic_; }

 protected:
  void count(std::size_t bytes) {
    ++traffic_.messages;
    traffic_.bytes += bytes;
  }

 private:
  Traffic traffic_;
};

/// The communicator of a program that runs alone: rank 0 of 1. Its abort throws core::Error, like that of threads.
Communicator& one_process();

}  // namespace accrete::comm
