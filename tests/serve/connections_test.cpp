// Which connections end while others wait for a thread.

#include "accrete/serve/connections.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <vector>

namespace accrete::serve::connections_test {
namespace {

/// A connected pair: the server's socket and the client's.
class Pair {
 public:
  Pair() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets_.data()), 0); }
  ~Pair() {
    for (const int socket : sockets_) ::close(socket);
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  int server() const { return sockets_[0]; }
  void send() const { EXPECT_EQ(::send(sockets_[1], "x", 1, 0), 1); }
  bool is_ended() const {
    char byte = 0;
    return ::recv(sockets_[1], &byte, 1, MSG_DONTWAIT) == 0;
  }

 private:
  std::array<int, 2> sockets_{};
};

struct ConnectionsTest : testing::Test {
  int evicted = 0;
  Connections connections{[this] { ++evicted; }};
};

TEST_F(ConnectionsTest, StayWhileNoneWaits) {
  const Pair idle;
  connections.add(idle.server());
  connections.set_waiting(0);
  EXPECT_FALSE(idle.is_ended());
}

TEST_F(ConnectionsTest, EndIfOthersWaitedBeforeTheyCame) {
  connections.set_waiting(1);
  const Pair idle;
  connections.add(idle.server());
  EXPECT_TRUE(idle.is_ended());
  EXPECT_EQ(evicted, 1);
}

TEST_F(ConnectionsTest, EndOneAtATimeLongestWaitingFirst) {
  const Pair first, second;
  connections.add(first.server());
  connections.add(second.server());
  connections.set_waiting(2);
  EXPECT_TRUE(first.is_ended());
  EXPECT_FALSE(second.is_ended());
  connections.set_waiting(2);  // the thread of the first one is not free yet
  EXPECT_FALSE(second.is_ended());
  connections.remove(first.server());
  connections.set_waiting(1);
  EXPECT_TRUE(second.is_ended());
  EXPECT_EQ(evicted, 2);
}

TEST_F(ConnectionsTest, EndOnceTheyAreAnswered) {
  const Pair busy;
  connections.add(busy.server());
  connections.set_phase(busy.server(), Connections::Phase::busy);
  connections.set_waiting(1);
  EXPECT_FALSE(busy.is_ended());
  connections.set_phase(busy.server(), Connections::Phase::idle);
  EXPECT_TRUE(busy.is_ended());
}

TEST_F(ConnectionsTest, EndBeforeThoseThatReceiveARequest) {
  const Pair first, second, idle;
  for (const Pair* pair : {&first, &second}) {
    connections.add(pair->server());
    connections.set_phase(pair->server(), Connections::Phase::receiving);
  }
  connections.add(idle.server());
  connections.set_waiting(3);
  EXPECT_TRUE(idle.is_ended());
  EXPECT_FALSE(first.is_ended());
  connections.remove(idle.server());
  connections.set_waiting(2);
  EXPECT_TRUE(first.is_ended());
  EXPECT_FALSE(second.is_ended());
}

TEST_F(ConnectionsTest, StayIfARequestHasArrived) {
  const Pair sending, idle;
  connections.add(sending.server());
  sending.send();
  connections.add(idle.server());
  connections.set_waiting(1);
  EXPECT_FALSE(sending.is_ended());
  EXPECT_TRUE(idle.is_ended());
}

}  // namespace
}  // namespace accrete::serve::connections_test
