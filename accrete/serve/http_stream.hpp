#pragma once
// A connection in cpp-httplib's stream interface. Only http_server.cpp includes this file, because cpp-httplib is slow
// to compile.

#include <netdb.h>
#include <sys/socket.h>

#include <chrono>
#include <cstddef>
#include <string>

#include <httplib.h>

#include "accrete/serve/batcher.hpp"
#include "accrete/serve/socket_reader.hpp"

namespace accrete::serve {

/// Member functions that exist only in some versions of the base class are not marked `override`.
class HttpStream final : public httplib::Stream {
 public:
  explicit HttpStream(int socket) : reader(socket), socket_(socket), remote_(address_of(socket)) {}

  bool is_readable() const { return true; }
  bool is_writable() const { return true; }
  bool wait_readable() const { return true; }
  bool wait_writable() const { return true; }
  time_t duration() const { return 0; }
  ssize_t read(char* into, std::size_t size) override { return reader.read(into, size); }
  /// Buffers the head of a reply until its body follows, so that a small reply is one packet.
  ssize_t write(const char* bytes, std::size_t size) override {
    pending_.append(bytes, size);
    return static_cast<ssize_t>(size);
  }
  bool flush() {
    const bool sent = reader.write_all(pending_.data(), pending_.size(), max_pause, max_time(pending_.size()));
    pending_.clear();
    return sent;
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip = remote_;
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  /// Hides the socket: cpp-httplib rejects sockets beyond select()'s limit, but this class polls.
  socket_t socket() const override { return 0; }

  int socket_number() const { return socket_; }
  const std::string& remote() const { return remote_; }  ///< the client's address

  SocketReader reader;
  Clock::time_point arrived = {};
  bool replied = false;     ///< the server's handler has replied, so the request was parsed
  bool must_close = false;  ///< part of the request was left unread
  bool is_last = false;     ///< the reply announces the end of the connection

 private:
  static constexpr std::chrono::milliseconds max_pause{10'000};  ///< while a client reads a reply
  /// One second per 64 KiB more than the pause.
  static std::chrono::milliseconds max_time(std::size_t size) {
    return max_pause + std::chrono::seconds(size / (64 << 10));
  }

  static std::string address_of(int socket) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    char text[NI_MAXHOST] = "";
    if (::getpeername(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0)
      ::getnameinfo(reinterpret_cast<sockaddr*>(&address), size, text, sizeof text, nullptr, 0, NI_NUMERICHOST);
    return text;
  }

  int socket_;
  std::string remote_, pending_;
};

}  // namespace accrete::serve
