// Sends one HTTP request repeatedly at fixed times, whether or not earlier ones were answered (open loop); run and
// explained by bench/serve.py. A generator in Python would take as long for a one-row request as the server does.
//
//   bench_load_generator PORT MESSAGE RATE SECONDS CONNECTIONS
//
// MESSAGE: a file with the complete request. The time of a request starts when it is due. A request fails if its reply
// is not 200, comes in more than one part or does not arrive. Prints one JSON object with times in milliseconds.

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience{30};  // after the last request

struct Connection {
  int socket = -1;
  Clock::time_point due = {};  ///< due time of the outstanding request
};

class Generator {
 public:
  Generator(int port, std::string message, std::size_t connections)
      : message_(std::move(message)), poll_(::epoll_create1(0)), connections_(connections) {
    for (Connection& connection : connections_) {
      connection.socket = connect(port);
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.ptr = &connection;
      if (::epoll_ctl(poll_, EPOLL_CTL_ADD, connection.socket, &event) != 0) throw std::runtime_error("epoll_ctl");
      idle_.push_back(&connection);
    }
  }
  ~Generator() {
    for (const Connection& connection : connections_) ::close(connection.socket);
    ::close(poll_);
  }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  void run(double rate, double seconds) {
    const auto count = static_cast<std::size_t>(rate * seconds);
    milliseconds.reserve(count);
    const auto start = Clock::now();
    const auto due = [&](std::size_t i) {
      return start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(double(i) / rate));
    };
    const auto deadline = due(count) + patience;
    for (std::size_t sent = 0; (sent < count || idle_.size() < connections_.size()) && Clock::now() < deadline;) {
      for (; sent < count && !idle_.empty() && Clock::now() >= due(sent); ++sent) send(due(sent));
      wait(sent < count && !idle_.empty() ? due(sent) : deadline);
      receive();
    }
    failed += count - milliseconds.size() - failed;  // requests that were not answered
  }

  std::vector<double> milliseconds;  ///< one per answered request
  std::size_t failed = 0;

 private:
  static int connect(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0), on = 1;
    if (socket < 0 || ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("cannot connect");
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return socket;
  }

  void send(Clock::time_point due) {
    Connection* connection = idle_.back();
    idle_.pop_back();
    connection->due = due;
    if (::send(connection->socket, message_.data(), message_.size(), MSG_NOSIGNAL) != std::ssize(message_))
      throw std::runtime_error("the server closed a connection");
  }

  /// Sleeps until a reply arrives or the time is over, which leaves the processor to the server.
  void wait(Clock::time_point until) const {
    const auto left = std::max<std::chrono::nanoseconds>(until - Clock::now(), std::chrono::nanoseconds(0)).count();
    const timespec time{.tv_sec = left / 1'000'000'000, .tv_nsec = left % 1'000'000'000};
    pollfd entry{poll_, POLLIN, 0};
    ::ppoll(&entry, 1, &time, nullptr);
  }

  /// Reads the replies that have arrived.
  void receive() {
    epoll_event events[64];
    const int ready = ::epoll_wait(poll_, events, 64, 0);
    for (int i = 0; i < ready; ++i) {
      auto* connection = static_cast<Connection*>(events[i].data.ptr);
      const auto size = ::recv(connection->socket, reply_, sizeof reply_, 0);
      if (size <= 0) throw std::runtime_error("the server closed a connection");
      const std::string_view reply(reply_, static_cast<std::size_t>(size));
      if (reply.starts_with("HTTP/1.1 200") && reply.ends_with('}'))
        milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - connection->due).count());
      else
        ++failed;
      idle_.push_back(connection);
    }
  }

  const std::string message_;
  const int poll_;
  std::vector<Connection> connections_;
  std::vector<Connection*> idle_;
  char reply_[65'536];
};

}  // namespace

int main(int count, char** words) {
  if (count != 6) {
    std::fprintf(stderr, "usage: bench_load_generator PORT MESSAGE RATE SECONDS CONNECTIONS\n");
    return 2;
  }
  ::prctl(PR_SET_TIMERSLACK, 1);  // nanosecond, instead of 50,000
  try {
    std::ifstream file(words[2], std::ios::binary);
    std::string message((std::istreambuf_iterator<char>(file)), {});
    Generator generator(std::atoi(words[1]), std::move(message), std::strtoul(words[5], nullptr, 10));
    generator.run(std::strtod(words[3], nullptr), std::strtod(words[4], nullptr));
    std::vector<double>& times = generator.milliseconds;
    std::ranges::sort(times);
    const auto quantile = [&](double share) {
      return times.empty() ? 0.0 : times[static_cast<std::size_t>(share * double(times.size() - 1))];
    };
    std::printf("{\"answered\": %zu, \"failed\": %zu, \"p50\": %.4f, \"p99\": %.4f, \"p999\": %.4f}\n", times.size(),
                generator.failed, quantile(0.5), quantile(0.99), quantile(0.999));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_load_generator: %s\n", error.what());
    return 1;
  }
}
