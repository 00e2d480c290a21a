// A network with delay between network namespaces, in user space; run by bench/support/delayed_network.py.
//
//   bench_delay_link MICROSECONDS NAMESPACE=ADDRESS...
//
// Creates a TUN device `link0` in each namespace, prints "ready", and forwards each IPv4 packet to the namespace of its
// destination when the one-way delay has passed, in the order of arrival, until it is killed or its parent ends.
// Bandwidth is not limited. Unlike `tc netem`, it needs no kernel module.

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t header_size = 10;  ///< of virtio_net_hdr, whose header is not C++
constexpr std::size_t max_size = header_size + 65'535;
constexpr int max_reads = 64;  ///< from one device before due packets are forwarded

void require(bool success, const std::string& what) {
  if (!success) throw std::system_error(errno, std::generic_category(), what);
}

/// Opens a TUN device in a namespace of `ip netns`. Segments of up to 64 kB stay whole, as between real network cards
/// and their drivers; otherwise the time of a large message would be that of this program.
int open_device(const std::string& name) {
  const int space = ::open(("/run/netns/" + name).c_str(), O_RDONLY | O_CLOEXEC);
  require(space >= 0 && ::setns(space, CLONE_NEWNET) == 0, "namespace " + name);
  ::close(space);
  const int device = ::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  require(device >= 0, "/dev/net/tun");
  ifreq request{};
  std::strncpy(request.ifr_name, "link0", IFNAMSIZ - 1);
  request.ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR;
  require(::ioctl(device, TUNSETIFF, &request) == 0, "TUNSETIFF");
  require(::ioctl(device, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4) == 0, "TUNSETOFFLOAD");
  return device;
}

class Link {
 public:
  explicit Link(Clock::duration delay) : delay_(delay) {}

  void add(const std::string& name, const std::string& address) {
    in_addr number{};
    if (::inet_pton(AF_INET, address.c_str(), &number) != 1) throw std::runtime_error("no IPv4 address: " + address);
    addresses_.push_back(number.s_addr);
    devices_.push_back({.fd = open_device(name), .events = POLLIN, .revents = 0});
  }

  [[noreturn]] void run() {
    for (;;) {
      wait();
      for (const pollfd& device : devices_) {
        if (device.revents != 0) receive(device.fd);
      }
      forward();
    }
  }

 private:
  struct Packet {
    Clock::time_point due;
    int device;  ///< of the destination
    std::vector<char> bytes;
  };

  /// Sleeps until a packet arrives or one is due.
  void wait() {
    timespec time{};
    if (!queue_.empty()) {
      const auto left = std::max(queue_.front().due - Clock::now(), Clock::duration::zero());
      time.tv_sec = std::chrono::duration_cast<std::chrono::seconds>(left).count();
      time.tv_nsec = std::chrono::nanoseconds(left % std::chrono::seconds(1)).count();
    }
    const int ready = ::ppoll(devices_.data(), devices_.size(), queue_.empty() ? nullptr : &time, nullptr);
    require(ready >= 0 || errno == EINTR, "ppoll");
  }

  void receive(int device) {
    for (int i = 0; i < max_reads; ++i) {
      const ssize_t size = ::read(device, buffer_.data(), buffer_.size());
      if (size < 0) return;
      const int to = destination(static_cast<std::size_t>(size));
      if (to < 0) continue;
      if (free_.empty()) free_.emplace_back();
      std::vector<char> bytes = std::move(free_.back());
      free_.pop_back();
      bytes.assign(buffer_.begin(), buffer_.begin() + size);
      queue_.push_back({.due = Clock::now() + delay_, .device = to, .bytes = std::move(bytes)});
    }
  }

  /// The device for the packet in the buffer; -1: not IPv4, or no namespace has the address.
  int destination(std::size_t size) const {
    if (size < header_size + 20 || (buffer_[header_size] & 0xF0) != 0x40) return -1;
    in_addr_t address = 0;
    std::memcpy(&address, buffer_.data() + header_size + 16, sizeof(address));
    const auto found = std::ranges::find(addresses_, address);
    return found == addresses_.end() ? -1 : devices_[static_cast<std::size_t>(found - addresses_.begin())].fd;
  }

  void forward() {
    while (!queue_.empty() && queue_.front().due <= Clock::now()) {
      Packet& packet = queue_.front();
      if (::write(packet.device, packet.bytes.data(), packet.bytes.size()) < 0) std::perror("bench_delay_link: write");
      free_.push_back(std::move(packet.bytes));
      queue_.pop_front();
    }
  }

  const Clock::duration delay_;
  std::vector<in_addr_t> addresses_;
  std::vector<pollfd> devices_;
  std::deque<Packet> queue_;
  std::vector<std::vector<char>> free_;  ///< buffers of forwarded packets
  std::array<char, max_size> buffer_{};
};

}  // namespace

int main(int count, char** words) {
  if (count < 4) {
    std::fprintf(stderr, "usage: bench_delay_link MICROSECONDS NAMESPACE=ADDRESS...\n");
    return 2;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::prctl(PR_SET_TIMERSLACK, 1);  // nanosecond, instead of 50,000
  const sched_param first{.sched_priority = 1};
  ::sched_setscheduler(0, SCHED_FIFO, &first);  // before ranks that wait actively; without the right: as any process
  try {
    Link link{std::chrono::microseconds(std::strtol(words[1], nullptr, 10))};
    for (int i = 2; i < count; ++i) {
      const std::string word = words[i];
      const std::size_t place = word.find('=');
      if (place == std::string::npos) throw std::runtime_error("not NAMESPACE=ADDRESS: " + word);
      link.add(word.substr(0, place), word.substr(place + 1));
    }
    std::puts("ready");
    std::fflush(stdout);
    link.run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_delay_link: %s\n", error.what());
    return 1;
  }
}
