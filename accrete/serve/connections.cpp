#include "accrete/serve/connections.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <utility>

namespace accrete::serve {
namespace {

bool has_unread_bytes(int socket) {
  char byte = 0;
  return ::recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

}  // namespace

void Connections::add(int socket) {
  const std::unique_lock lock(mutex_);
  open_[socket] = {};
  evict();
}

void Connections::remove(int socket) {
  const std::unique_lock lock(mutex_);
  open_.erase(socket);
  if (open_.empty()) none_.notify_all();
}

void Connections::set_phase(int socket, Phase phase) {
  const std::unique_lock lock(mutex_);
  const auto found = open_.find(socket);
  if (found == open_.end()) return;
  found->second.phase = phase;
  found->second.since = Clock::now();
  if (phase == Phase::idle) evict();
}

void Connections::set_waiting(std::size_t waiting) {
  const std::unique_lock lock(mutex_);
  waiting_ = waiting;
  evict();
}

std::size_t Connections::count() const {
  const std::unique_lock lock(mutex_);
  return open_.size();
}

void Connections::end(int socket, State& state) {
  ::shutdown(socket, SHUT_RDWR);
  state.ended = true;
}

void Connections::evict() {
  if (waiting_ == 0) return;
  // The thread of the ended connection takes the next one, and set_waiting() is called again then.
  if (std::ranges::any_of(open_, [](const auto& entry) { return entry.second.ended; })) return;
  const auto rank = [](const State& state) { return std::pair(state.phase, state.since); };
  auto first = open_.end();
  for (auto at = open_.begin(); at != open_.end(); ++at)
    if (at->second.phase != Phase::busy && (first == open_.end() || rank(at->second) < rank(first->second)) &&
        !has_unread_bytes(at->first))
      first = at;
  if (first == open_.end()) return;
  end(first->first, first->second);
  on_evict_();
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
