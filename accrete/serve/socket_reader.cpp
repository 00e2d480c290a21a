#include "accrete/serve/socket_reader.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

namespace accrete::serve {
namespace {

constexpr std::size_t buffer_size = 16 << 10;
constexpr std::chrono::seconds max_age{10};  // bounds the error if the system clock changes

#ifdef MSG_NOSIGNAL
constexpr int no_signal = MSG_NOSIGNAL;
#else
constexpr int no_signal = 0;  // the command ignores SIGPIPE
#endif

/// Enables time stamps for arriving messages.
void request_time_stamps([[maybe_unused]] int socket) {
#ifdef SO_TIMESTAMPNS
  const int on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
#endif
}

/// How long the bytes of a message have waited to be read; 0 without a time stamp.
std::chrono::nanoseconds age([[maybe_unused]] msghdr& message) {
#ifdef SCM_TIMESTAMPNS
  for (cmsghdr* entry = CMSG_FIRSTHDR(&message); entry; entry = CMSG_NXTHDR(&message, entry)) {
    if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec stamp{};
    std::memcpy(&stamp, CMSG_DATA(entry), sizeof stamp);
    const auto arrived = std::chrono::seconds(stamp.tv_sec) + std::chrono::nanoseconds(stamp.tv_nsec);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::clamp<std::chrono::nanoseconds>(now - arrived, std::chrono::seconds(0), max_age);
  }
#endif
  return {};
}

}  // namespace

SocketReader::SocketReader(int socket) : socket_(socket) {
  request_time_stamps(socket);
}

bool SocketReader::poll_until(short events, Clock::time_point deadline) const {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd entry{socket_, events, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(std::clamp<long long>(left, 0, 1'000'000)));
    if (ready > 0) return true;
    if (left <= 0 || (ready < 0 && errno != EINTR)) return false;
  }
}

/// Like recv, but waits until the deadline.
long SocketReader::receive(char* into, std::size_t size, Clock::time_point deadline) {
  iovec part{into, size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(timespec))];
  for (;;) {
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const auto count = ::recvmsg(socket_, &message, MSG_DONTWAIT);
    if (count >= 0) {
      arrived_ = Clock::now() - age(message);
      return count;
    }
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return -1;
    if (!poll_until(POLLIN, deadline)) return -1;
  }
}

long SocketReader::fill_buffer(Clock::time_point deadline) {
  buffer_.resize(buffer_size);
  const long count = receive(buffer_.data(), buffer_.size(), deadline);
  buffer_.resize(static_cast<std::size_t>(std::max<long>(count, 0)));
  at_ = 0;
  return count;
}

bool SocketReader::wait(std::chrono::milliseconds limit, std::chrono::microseconds spin) {
  if (at_ < buffer_.size()) return true;
  char byte = 0;
  for (const auto end = Clock::now() + spin; Clock::now() < end; std::this_thread::yield())
    if (::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0) break;
  return fill_buffer(Clock::now() + limit) > 0;
}

void SocketReader::expect(Clock::time_point deadline, std::size_t max_bytes) {
  deadline_ = deadline;
  bytes_left_ = max_bytes;
}

long SocketReader::read(char* into, std::size_t size) {
  size = std::min(size, bytes_left_);
  if (size == 0) return -1;
  if (at_ == buffer_.size()) {
    if (Clock::now() >= deadline_) return -1;
    if (const long count = fill_buffer(deadline_); count <= 0) return count;
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

bool SocketReader::write_all(const char* bytes, std::size_t size, std::chrono::milliseconds pause,
                             std::chrono::milliseconds total) {
  constexpr std::chrono::milliseconds retry{100};  // poll() reports space only once a third of the buffer is free
  const auto end = Clock::now() + total;
  auto deadline = std::min(end, Clock::now() + pause);
  while (size > 0) {
    const auto count = ::send(socket_, bytes, size, no_signal | MSG_DONTWAIT);
    if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return false;
    if (count < 0) {
      if (Clock::now() >= deadline) return false;
      poll_until(POLLOUT, std::min(deadline, Clock::now() + retry));
      continue;
    }
    deadline = std::min(end, Clock::now() + pause);
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

void SocketReader::linger_close(std::chrono::milliseconds limit, std::size_t max_bytes) {
  ::shutdown(socket_, SHUT_WR);
  at_ = buffer_.size();
  expect(Clock::now() + limit, max_bytes);
  char scratch[4096];
  while (read(scratch, sizeof scratch) > 0) {
  }
}

}  // namespace accrete::serve
