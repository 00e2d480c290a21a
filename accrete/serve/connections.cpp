#include "accrete/serve/connections.hpp"

#include <sys/socket.h>

namespace accrete::serve {

void Connections::add(int socket) {
  const std::unique_lock lock(mutex_);
  open_[socket] = {};
}

void Connections::remove(int socket) {
  const std::unique_lock lock(mutex_);
  open_.erase(socket);
  if (open_.empty()) none_.notify_all();
}

void Connections::set_busy(int socket, bool busy) {
  const std::unique_lock lock(mutex_);
  const auto found = open_.find(socket);
  if (found == open_.end()) return;
  found->second.busy = busy;
  found->second.since = Clock::now();
}

std::size_t Connections::count() const {
  const std::unique_lock lock(mutex_);
  return open_.size();
}

void Connections::end(int socket, State& state) {
  ::shutdown(socket, SHUT_RDWR);
  state.ended = true;
}

bool Connections::evict_longest_waiting() {
  const std::unique_lock lock(mutex_);
  auto longest = open_.end();
  for (auto at = open_.begin(); at != open_.end(); ++at)
    if (!at->second.busy && !at->second.ended && (longest == open_.end() || at->second.since < longest->second.since))
      longest = at;
  if (longest == open_.end()) return false;
  end(longest->first, longest->second);
  return true;
}

void Connections::stop_reading() {
  const std::unique_lock lock(mutex_);
  for (const auto& [socket, state] : open_) ::shutdown(socket, SHUT_RD);
}

void Connections::end_all() {
  const std::unique_lock lock(mutex_);
  for (auto& [socket, state] : open_) end(socket, state);
}

bool Connections::wait_until_none(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  return none_.wait_for(lock, limit, [&] { return open_.empty(); });
}

}  // namespace accrete::serve
