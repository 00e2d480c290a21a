#pragma once
// Reads and writes a socket with deadlines and limits. cpp-httplib's own stream has a time limit per read, which lets a
// client that sends a byte now and then hold a connection forever, and no limit on the total size of headers.

#include <chrono>
#include <cstddef>
#include <string>

namespace accrete::serve {

class SocketReader {
 public:
  using Clock = std::chrono::steady_clock;

  explicit SocketReader(int socket);

  /// Waits for the first bytes of a request; returns false on timeout or if the connection ends. Spins for the time
  /// `spin`: waking a thread on an idle core may take longer than answering a small request.
  bool wait(std::chrono::milliseconds limit, std::chrono::microseconds spin = {});
  /// When these bytes arrived. A thread that waits for a core reads them later; on systems without time stamps this is
  /// the time of the read.
  Clock::time_point arrived() const { return arrived_; }

  /// Sets the deadline of later reads, and the total number of bytes that they may return.
  void expect(Clock::time_point deadline, std::size_t max_bytes);

  /// Reads up to size bytes; returns 0 at the end of the connection, -1 at the deadline or the limit.
  long read(char* into, std::size_t size);
  /// Reads exactly size bytes and appends them; returns false if they do not arrive.
  bool read_all(std::string& into, std::size_t size);

  /// Writes all bytes; returns false if the client reads nothing for the time `pause`, or not all within `total`.
  bool write_all(const char* bytes, std::size_t size, std::chrono::milliseconds pause, std::chrono::milliseconds total);

  /// Closes the connection such that a client that is still sending can read the last reply.
  void linger_close(std::chrono::milliseconds limit, std::size_t max_bytes);

 private:
  bool poll_until(short events, Clock::time_point deadline) const;
  long receive(char* into, std::size_t size, Clock::time_point deadline);
  long fill_buffer(Clock::time_point deadline);

  int socket_;
  Clock::time_point deadline_ = {}, arrived_ = {};
  std::size_t bytes_left_ = 0;
  std::string buffer_;
  std::size_t at_ = 0;  ///< index of the first unread byte in the buffer
};

}  // namespace accrete::serve
