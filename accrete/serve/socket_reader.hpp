#pragma once
// Reads and writes a socket within deadlines and limits. cpp-httplib's own stream has a time limit per read, with which
// a client that sends a byte now and then holds a connection forever, and none on the size of all headers.

#include <chrono>
#include <cstddef>
#include <string>

namespace accrete::serve {

class SocketReader {
 public:
  using Clock = std::chrono::steady_clock;

  explicit SocketReader(int socket);

  /// Waits for the first bytes of a request; false if none come in time or the connection ends. The thread stays awake
  /// for the time `spin`: to wake it on an idle core may take longer than to answer a small request.
  bool wait(std::chrono::milliseconds limit, std::chrono::microseconds spin = {});
  /// When they arrived. A thread that waits for a core reads them later; where the system has no time stamps, this is
  /// when they were read.
  Clock::time_point arrived() const { return arrived_; }

  /// From now on, reads may take until the deadline, and return at most max_bytes.
  void expect(Clock::time_point deadline, std::size_t max_bytes);

  /// Up to size bytes; at the end of the connection 0; at the deadline or the limit -1.
  long read(char* into, std::size_t size);
  /// Exactly size bytes, appended; false if they do not come.
  bool read_all(std::string& into, std::size_t size);

  /// All bytes, within a time limit; false if the client does not take them.
  bool write_all(const char* bytes, std::size_t size, std::chrono::milliseconds limit);

  /// Ends the connection so that a client which is still sending can read the last reply.
  void close_gently(std::chrono::milliseconds limit, std::size_t max_bytes);

 private:
  bool poll_until(short events, Clock::time_point deadline) const;
  long receive(char* into, std::size_t size, Clock::time_point deadline);
  long fill_buffer(Clock::time_point deadline);

  int socket_;
  Clock::time_point deadline_ = {}, arrived_ = {};
  std::size_t bytes_left_ = 0;
  std::string buffer_;
  std::size_t at_ = 0;  ///< the first byte of the buffer that was not read
};

}  // namespace accrete::serve
