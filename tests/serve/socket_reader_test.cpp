#include "accrete/serve/socket_reader.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include <gtest/gtest.h>

namespace accrete::serve::socket_reader_test {
namespace {

using std::chrono::milliseconds;
using Clock = SocketReader::Clock;

/// Two ends of a TCP connection of this computer.
class Connection {
 public:
  Connection() {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listener, any, size), 0);
    EXPECT_EQ(::listen(listener, 1), 0);
    EXPECT_EQ(::getsockname(listener, any, &size), 0);
    client = ::socket(AF_INET, SOCK_STREAM, 0);
    EXPECT_EQ(::connect(client, any, size), 0);
    server = ::accept(listener, nullptr, nullptr);
    ::close(listener);
  }
  ~Connection() {
    ::close(client);
    ::close(server);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(std::string_view text) const {
    EXPECT_EQ(::send(client, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  }

  int client = -1, server = -1;
};

TEST(SocketReader, WaitsForBytesThatComeWhileItSpinsOrLater) {
  const Connection connection;
  SocketReader reader(connection.server);
  reader.expect(Clock::now() + milliseconds(60'000), 100);
  for (const milliseconds spin : {milliseconds(10'000), milliseconds(1), milliseconds(0)}) {
    std::thread sender([&] {
      std::this_thread::sleep_for(milliseconds(20));
      connection.send("x");
    });
    const auto start = Clock::now();
    EXPECT_TRUE(reader.wait(milliseconds(10'000), spin));
    EXPECT_LT(Clock::now() - start, milliseconds(5'000))
        << "the wait must end when data arrives, not at the end of the spin";
    sender.join();
    std::string text;
    EXPECT_TRUE(reader.read_all(text, 1));
  }
  EXPECT_FALSE(reader.wait(milliseconds(1), milliseconds(1))) << "nothing was sent";
  ::shutdown(connection.client, SHUT_RDWR);
  EXPECT_FALSE(reader.wait(milliseconds(10'000), milliseconds(1))) << "the connection ended";
}

TEST(SocketReader, ReadsWhatWasSentWithinItsLimit) {
  const Connection connection;
  SocketReader reader(connection.server);
  connection.send("first second");
  ASSERT_TRUE(reader.wait(milliseconds(1'000)));
  reader.expect(Clock::now() + milliseconds(1'000), 8);
  std::string text;
  EXPECT_TRUE(reader.read_all(text, 6));
  EXPECT_FALSE(reader.read_all(text, 6)) << "beyond the limit of 8 bytes";
  EXPECT_EQ(text, "first se");
}

TEST(SocketReader, StopsWaitingAtTheDeadlineAndAtTheEnd) {
  const Connection connection;
  SocketReader reader(connection.server);
  EXPECT_FALSE(reader.wait(milliseconds(1)));
  connection.send("a");
  ASSERT_TRUE(reader.wait(milliseconds(1'000)));
  reader.expect(Clock::now() + milliseconds(1), 10);
  std::string text;
  EXPECT_FALSE(reader.read_all(text, 2));
  ::shutdown(connection.client, SHUT_WR);
  EXPECT_FALSE(reader.wait(milliseconds(1'000)));
}

/// Writes 2 MiB to a client that reads `part` bytes every 50 ms.
bool write_to_slow_client(std::size_t part, milliseconds pause, milliseconds total) {
  const Connection connection;
  const int small = 64 << 10;
  ::setsockopt(connection.server, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
  ::setsockopt(connection.client, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
  const std::string text(2 << 20, 'x');
  std::atomic<bool> stop = false;
  std::thread client([&] {
    std::string into(part, ' ');
    while (!stop && part > 0 && ::recv(connection.client, into.data(), part, MSG_WAITALL) > 0)
      std::this_thread::sleep_for(milliseconds(50));
  });
  const bool written = SocketReader(connection.server).write_all(text.data(), text.size(), pause, total);
  stop = true;
  ::shutdown(connection.server, SHUT_RDWR);
  client.join();
  return written;
}

TEST(SocketReader, WritesAsLongAsTheClientReads) {
  const auto start = Clock::now();
  EXPECT_TRUE(write_to_slow_client(64 << 10, milliseconds(900), milliseconds(60'000)));
  EXPECT_GT(Clock::now() - start, milliseconds(1'000)) << "longer than the allowed pause";
  EXPECT_FALSE(write_to_slow_client(0, milliseconds(100), milliseconds(60'000))) << "reads nothing";
  EXPECT_FALSE(write_to_slow_client(1 << 10, milliseconds(60'000), milliseconds(300))) << "reads too slowly";
}

#ifdef __linux__
TEST(SocketReader, KnowsWhenBytesArrivedThatWereReadLater) {
  const Connection connection;
  SocketReader reader(connection.server);
  std::this_thread::sleep_for(milliseconds(20));  // the kernel turns time stamps on with a delay
  const auto sent = Clock::now();
  connection.send("a");
  std::this_thread::sleep_for(milliseconds(50));
  ASSERT_TRUE(reader.wait(milliseconds(1'000)));
  EXPECT_GT(reader.arrived(), sent - milliseconds(5));
  EXPECT_LT(reader.arrived(), sent + milliseconds(45));
}
#endif

}  // namespace
}  // namespace accrete::serve::socket_reader_test
