#include "accrete/serve/socket_reader.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace accrete::serve {
namespace {

constexpr std::size_t buffer_size = 16 << 10;

#ifdef MSG_NOSIGNAL
constexpr int no_signal = MSG_NOSIGNAL;
#else
constexpr int no_signal = 0;  // the command ignores SIGPIPE
#endif

}  // namespace

bool SocketReader::poll_until(short events, Clock::time_point deadline) const {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd entry{socket_, events, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(std::clamp<long long>(left, 0, 1'000'000)));
    if (ready > 0) return true;
    if (left <= 0 || (ready < 0 && errno != EINTR)) return false;
  }
}

bool SocketReader::wait(std::chrono::milliseconds limit) {
  if (at_ < buffer_.size()) return true;
  if (!poll_until(POLLIN, Clock::now() + limit)) return false;
  char byte;
  return ::recv(socket_, &byte, 1, MSG_PEEK) > 0;
}

void SocketReader::expect(Clock::time_point deadline, std::size_t max_bytes) {
  deadline_ = deadline;
  bytes_left_ = max_bytes;
}

long SocketReader::read(char* into, std::size_t size) {
  size = std::min(size, bytes_left_);
  if (size == 0) return -1;
  if (at_ == buffer_.size()) {
    if (Clock::now() >= deadline_ || !poll_until(POLLIN, deadline_)) return -1;
    buffer_.resize(buffer_size);
    const auto count = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
    buffer_.resize(static_cast<std::size_t>(std::max<long>(count, 0)));
    at_ = 0;
    if (count <= 0) return count;
  }
  const std::size_t count = std::min(size, buffer_.size() - at_);
  std::memcpy(into, buffer_.data() + at_, count);
  at_ += count;
  bytes_left_ -= count;
  return static_cast<long>(count);
}

bool SocketReader::read_all(std::string& into, std::size_t size) {
  while (size > 0) {
    const std::size_t before = into.size(), part = std::min(size, buffer_size);
    into.resize(before + part);
    const long count = read(into.data() + before, part);
    into.resize(before + static_cast<std::size_t>(std::max<long>(count, 0)));
    if (count <= 0) return false;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool SocketReader::write_all(const char* bytes, std::size_t size, std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  while (size > 0) {
    const auto count = ::send(socket_, bytes, size, no_signal | MSG_DONTWAIT);
    if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return false;
    if (count < 0) {
      if (!poll_until(POLLOUT, deadline)) return false;
      continue;
    }
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

void SocketReader::close_gently(std::chrono::milliseconds limit, std::size_t max_bytes) {
  ::shutdown(socket_, SHUT_WR);
  at_ = buffer_.size();
  expect(Clock::now() + limit, max_bytes);
  char scratch[4096];
  while (read(scratch, sizeof scratch) > 0) {
  }
}

}  // namespace accrete::serve
