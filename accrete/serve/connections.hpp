#pragma once
// The open connections: who waits for a request, and who is being answered.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>

namespace accrete::serve {

/// Thread-safe. Sockets are shut down here and closed by their threads.
class Connections {
 public:
  void add(int socket);
  void remove(int socket);
  /// A request has arrived completely, or was answered.
  void set_busy(int socket, bool busy);

  std::size_t count() const;
  /// Ends the connection that has waited longest without a complete request. False if all are busy.
  bool evict_longest_waiting();
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

  mutable std::mutex mutex_;
  std::condition_variable none_;
  std::map<int, State> open_;
};

}  // namespace accrete::serve
