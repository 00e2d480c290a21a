#pragma once
// The open connections: who waits for a request, and who is being answered.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace accrete::serve {

/// Thread-safe. Sockets are shut down here and closed by their threads. While connections wait for a thread, the one
/// that has waited longest without a complete request is ended, one at a time.
class Connections {
 public:
  /// on_evict is called, with a lock held, for each connection that is ended in favour of others.
  explicit Connections(std::function<void()> on_evict) : on_evict_(std::move(on_evict)) {}

  void add(int socket);
  void remove(int socket);
  /// A request has arrived completely, or was answered.
  void set_busy(int socket, bool busy);

  /// How many accepted connections have no thread yet.
  void set_waiting(std::size_t waiting);

  std::size_t count() const;
  /// From now on no more requests arrive; those that have arrived are still read and answered.
  void stop_reading();
  /// Ends all.
  void end_all();
  /// Waits until no connection is open; false if that takes longer.
  bool wait_until_none(std::chrono::milliseconds limit);

 private:
  using Clock = std::chrono::steady_clock;
  struct State {
    bool busy = false, ended = false;
    Clock::time_point since = Clock::now();
  };
  static void end(int socket, State& state);
  /// Called whenever a connection may have become idle or another may wait, with the lock held.
  void make_way();

  const std::function<void()> on_evict_;
  mutable std::mutex mutex_;
  std::condition_variable none_;
  std::map<int, State> open_;
  std::size_t waiting_ = 0;
};

}  // namespace accrete::serve
