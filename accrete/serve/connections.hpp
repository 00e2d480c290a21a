#pragma once
// The open connections: idle (waiting for a request), receiving one, or busy (processing one).

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace accrete::serve {

/// Thread-safe. Shuts sockets down; their threads close them. While connections wait for a thread, the one that has
/// been idle longest is ended, one at a time; if none is idle, the one that has been receiving longest.
class Connections {
 public:
  /// on_evict is called, with a lock held, for each connection that is ended to make room for others.
  explicit Connections(std::function<void()> on_evict) : on_evict_(std::move(on_evict)) {}

  void add(int socket);
  void remove(int socket);
  enum class Phase { idle, receiving, busy };
  /// Call when a request has begun to arrive (receiving), has arrived completely (busy) or was answered (idle).
  void set_phase(int socket, Phase phase);

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
    Phase phase = Phase::idle;
    bool ended = false;
    Clock::time_point since = Clock::now();  ///< start of the phase
  };
  static void end(int socket, State& state);
  /// Ends a connection that is not busy if others wait for a thread. Call it with the lock held whenever that may have
  /// changed.
  void evict();

  const std::function<void()> on_evict_;
  mutable std::mutex mutex_;
  std::condition_variable none_;
  std::map<int, State> open_;
  std::size_t waiting_ = 0;
};

}  // namespace accrete::serve
