// Ranks as MPI processes. All calls come from the thread that opened the world.

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "accrete/comm/mpi/world.hpp"
#include "accrete/comm/one_process.hpp"
#include "accrete/core/error.hpp"

namespace accrete::comm {
namespace {

/// Time given to the other ranks to report the same error.
constexpr std::chrono::seconds max_wait{5};

/// MPI counts in int; longer messages are sent in parts.
constexpr std::size_t max_part = std::size_t{1} << 30;

std::size_t ask(int (*function)(MPI_Comm, int*)) {
  int answer = 0;
  function(MPI_COMM_WORLD, &answer);
  return static_cast<std::size_t>(answer);
}

class World final : public Communicator {
 public:
  World() {
    int provided = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_FUNNELED)
      throw core::Error("MPI cannot be started");
    MPI_Comm_dup(MPI_COMM_WORLD, &failures_);
    rank_ = ask(MPI_Comm_rank);
    size_ = ask(MPI_Comm_size);
  }
  ~World() override {
    MPI_Comm_free(&failures_);
    MPI_Finalize();
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }

  void abort() override {
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::_Exit(1);
  }

  bool fails_everywhere() override {
    MPI_Request all = MPI_REQUEST_NULL;
    int done = 0;
    MPI_Ibarrier(failures_, &all);
    for (const auto start = std::chrono::steady_clock::now(); std::chrono::steady_clock::now() - start < max_wait;) {
      MPI_Test(&all, &done, MPI_STATUS_IGNORE);
      if (done) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  void all_gather(std::span<const std::byte> own, std::span<const std::size_t> sizes,
                  std::span<std::byte> all) override {
    count(own.size());
    counts_.clear();
    places_.clear();
    std::size_t total = 0;
    for (const std::size_t size : sizes) {
      counts_.push_back(static_cast<int>(std::min(size, max_part)));
      places_.push_back(static_cast<int>(std::min(total, max_part)));
      total += size;
    }
    if (total > max_part) return gather_by_rank(own, sizes, all);
    MPI_Allgatherv(own.data(), static_cast<int>(own.size()), MPI_BYTE, all.data(), counts_.data(), places_.data(),
                   MPI_BYTE, MPI_COMM_WORLD);
  }

  void broadcast(std::span<std::byte> data, std::size_t root) override {
    if (rank_ == root) count(data.size());
    send_to_all(data, root);
  }

 private:
  /// Each rank in turn sends its part to all.
  void gather_by_rank(std::span<const std::byte> own, std::span<const std::size_t> sizes, std::span<std::byte> all) {
    std::size_t first = 0;
    for (std::size_t r = 0; r < size_; ++r) {
      const std::span<std::byte> part = all.subspan(first, sizes[r]);
      if (r == rank_) std::ranges::copy(own, part.begin());
      send_to_all(part, r);
      first += sizes[r];
    }
  }

  void send_to_all(std::span<std::byte> data, std::size_t root) {
    for (std::size_t first = 0; first < data.size(); first += max_part) {
      const std::size_t count = std::min(max_part, data.size() - first);
      MPI_Bcast(data.data() + first, static_cast<int>(count), MPI_BYTE, static_cast<int>(root), MPI_COMM_WORLD);
    }
  }

  MPI_Comm failures_ = MPI_COMM_NULL;  ///< for fails_everywhere, because other ranks may be inside another operation
  std::size_t rank_ = 0, size_ = 1;
  std::vector<int> counts_, places_;  ///< reused by every gather
};

}  // namespace

std::unique_ptr<Communicator> open_world() {
  if (launched_ranks() == 0) return std::make_unique<OneProcess>();
  return std::make_unique<World>();
}

}  // namespace accrete::comm
