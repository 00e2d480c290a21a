#pragma once
// The open connections, idle (waiting for a request) or busy (processing one).

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace accrete::serve {

/// Thread-safe. Shuts sockets down; their threads close them. While connections wait for a thread, the one that has
/// been idle longest is ended, one at a time.
class Connections {
 public:
  /// on_evict is called, with a lock held, for each connection that is ended to make room for others.
  explicit Connections(std::function<void()> on_evict) : on_evict_(std::move(on_evict)) {}

  void add(int socket);
  void remove(int socket);
  /// Call when a request has arrived completely (busy) or was answered (not busy).
  void set_busy(int socket, bool busy);

  /// Sets the number of accepted connections that have no thread yet.
  void set_waiting(std::size_t waiting);

  std::size_t count() const;
  /// Stops accepting requests; those that have arrived are still read and answered.
  void stop_reading();
  /// Ends all connections.
  void end_all();
  /// Waits until no connection is open; returns false on timeout.
  bool wait_until_none(std::chrono::milliseconds limit);

 private:
  using Clock = std::chrono::steady_clock;
  struct State {
    bool busy = false, ended = false;
    Clock::time_point since = Clock::now();
  };
  static void end(int socket, State& state);
  /// Ends an idle connection if others wait for a thread. Call it with the lock held whenever that may have changed.
  void evict_idle();

  const std::function<void()> on_evict_;
  mutable std::mutex mutex_;
  std::condition_variable none_;
  std::map<int, State> open_;
  std::size_t waiting_ = 0;
};

}  // namespace accrete::serve
