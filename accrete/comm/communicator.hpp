#pragma once
// The processes of one fit, called ranks, and the few verbs by which they talk. All ranks run the same program; each
// holds its share of the rows. Only sums and small tables cross between them.
//
//   one process      one_process(), here
//   threads          comm/threads.hpp: ranks are threads, so that tests of ranks are unit tests
//   MPI              comm/mpi/world.hpp, an optional component
//
// Verbs are collective: every rank calls them, in the same order. A rank that cannot go on calls abort.

#include <cstddef>
#include <span>

namespace accrete::comm {

/// What a rank has sent so far.
struct Traffic {
  std::size_t messages = 0, bytes = 0;
};

class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual std::size_t rank() const = 0;  ///< 0 .. size() - 1
  virtual std::size_t size() const = 0;

  /// Gives all ranks the parts of every rank, in the order of the ranks. `sizes` has the bytes of each part and is the
  /// same on all ranks; `all` has room for them.
  virtual void gather(std::span<const std::byte> own, std::span<const std::size_t> sizes, std::span<std::byte> all) = 0;

  /// Replaces the data of all ranks by that of `root`; the size is the same on all of them.
  virtual void broadcast(std::span<std::byte> data, std::size_t root) = 0;

  /// Ends all ranks because this one cannot go on.
  virtual void abort() = 0;

  /// Called by a rank that has an error to report. True if all ranks call it, within a few seconds: they have the same
  /// error and end by themselves. False: the others wait for this one, and it must abort.
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

/// The communicator of a program that runs alone: rank 0 of 1. Its abort throws core::Error, as those of threads do.
Communicator& one_process();

}  // namespace accrete::comm
