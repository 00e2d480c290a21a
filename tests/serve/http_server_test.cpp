// The server with sockets of this process, and clients that misbehave.

#include "accrete/serve/http_server.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include "accrete/core/error.hpp"
#include "accrete/io/model_file.hpp"
#include "tests/io/sample_model.hpp"

namespace accrete::serve::http_server_test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr const char* body = R"({"inputs": [{"name": "rows", "shape": [1, 2], "datatype": "FP32", "data": [1, 2]}]})";

std::string request(const std::string& text = body) {
  return "POST /v2/models/small/infer HTTP/1.1\r\nContent-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

/// A client's connection.
class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval limit{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(const std::string& text) const { ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }
  /// What arrives until the text `end`, or until the connection is closed.
  std::string receive(const std::string& end = "") const {
    std::string all;
    char part[4096];
    while (end.empty() || all.find(end) == std::string::npos) {
      const auto count = ::recv(socket_, part, sizeof part, 0);
      if (count <= 0) break;
      all.append(part, static_cast<std::size_t>(count));
    }
    return all;
  }

 private:
  int socket_;
};

class HttpServerTest : public testing::Test {
 protected:
  HttpServerTest() {
    std::string name = (fs::temp_directory_path() / "accrete-serve-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    io::save_model(io::small_model(), (folder_ / "small.safetensors").string());
    repository_ = std::make_unique<Repository>(std::vector{(folder_ / "small.safetensors").string()});
    service_ = std::make_unique<Service>(*repository_, batcher_, metrics_, ServiceOptions{});
  }
  ~HttpServerTest() override {
    server_.reset();
    fs::remove_all(folder_);
  }

  int start(HttpOptions options = {}) {
    options.port = 0;
    const auto log = [this](const AccessRecord& record) {
      const std::unique_lock lock(mutex_);
      statuses_.push_back(record.status);
    };
    server_ = std::make_unique<HttpServer>(*service_, metrics_, options, log);
    server_->start();
    return server_->port();
  }

  fs::path folder_;
  std::unique_ptr<Repository> repository_;
  Batcher batcher_{{.slots = 2}};
  Metrics metrics_;
  std::unique_ptr<Service> service_;
  std::mutex mutex_;           ///< guards statuses_
  std::vector<int> statuses_;  ///< in the log
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, AnswersSeveralRequestsOfAConnection) {
  const Client client(start());
  for (int i = 0; i < 10; ++i) {
    client.send(request());
    const std::string reply = client.receive("]}]}");
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 200 OK\r\n")) << reply;
    EXPECT_NE(reply.find("\"units\":3"), std::string::npos);
  }
}

TEST_F(HttpServerTest, ClosesSlowClientsAfterTheHeaderTime) {
  const int port = start({.header_time = milliseconds(200)});
  for (const char* text :
       {"G", "GET / HTTP/1.1\r\nX: y", "POST /v2/models/small/infer HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"}) {
    const auto begin = steady_clock::now();
    const Client client(port);
    client.send(text);
    const std::string reply = client.receive();
    EXPECT_TRUE(reply.empty() || reply.starts_with("HTTP/1.1 40")) << reply;
    EXPECT_LT(steady_clock::now() - begin, milliseconds(10'000)) << text;
  }
}

TEST_F(HttpServerTest, ClosesIdleConnections) {
  const Client client(start({.idle_time = milliseconds(100)}));
  EXPECT_EQ(client.receive(), "");
}

TEST_F(HttpServerTest, IdleConnectionsMakeWayForRequests) {
  const int port = start({.max_connections = 4});
  std::vector<std::unique_ptr<Client>> idle;
  for (int i = 0; i < 30; ++i) idle.push_back(std::make_unique<Client>(port));
  for (int i = 0; i < 10; ++i) {
    const Client client(port);
    client.send(request());
    EXPECT_TRUE(client.receive("]}]}").starts_with("HTTP/1.1 200")) << i;
  }
  EXPECT_GT(metrics_.refused_connections, 0u);
}

TEST_F(HttpServerTest, IdleConnectionsMakeWayForUploads) {
  const int port = start({.max_connections = 2});
  const Client sending(port);
  const std::string whole = request(), begin = whole.substr(0, whole.size() - 10);
  sending.send(begin);
  std::this_thread::sleep_for(milliseconds(100));
  const Client idle(port);
  std::this_thread::sleep_for(milliseconds(100));
  const Client third(port);
  third.send(request());
  EXPECT_TRUE(third.receive("]}]}").starts_with("HTTP/1.1 200"));
  sending.send(whole.substr(begin.size()));
  EXPECT_TRUE(sending.receive("]}]}").starts_with("HTTP/1.1 200"));
  EXPECT_EQ(idle.receive(), "");
}

TEST_F(HttpServerTest, RefusesLargeBodiesAndHeaders) {
  const int port = start({.max_body = 100, .max_header = 1000});
  const Client large(port);
  large.send(request(std::string(101, ' ')));
  EXPECT_TRUE(large.receive().starts_with("HTTP/1.1 413"));
  const Client wide(port);
  wide.send("GET / HTTP/1.1\r\nX: " + std::string(2000, 'y') + "\r\n\r\n");
  const std::string reply = wide.receive();
  EXPECT_TRUE(reply.empty() || reply.starts_with("HTTP/1.1 4")) << reply;
}

TEST_F(HttpServerTest, CountsAndLogsRequestsThatAreNotValidHttp) {
  const int port = start();
  for (const std::string text : {"hello\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET\r\n\r\n"}) {
    const Client client(port);
    client.send(text);
    const std::string reply = client.receive();
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 400 ")) << reply;
    EXPECT_NE(reply.find("\r\nConnection: close\r\n"), std::string::npos) << reply;
    EXPECT_NE(reply.find("{\"error\""), std::string::npos) << reply;
  }
  server_->stop();
  EXPECT_EQ(statuses_, (std::vector{400, 400, 400}));
  EXPECT_NE(metrics_.text({}).find("{status=\"400\"} 3\n"), std::string::npos) << metrics_.text({});
}

TEST_F(HttpServerTest, StopsWhileClientsAreConnected) {
  const int port = start();
  const Client idle(port);
  idle.send("GET /v2 HTTP/1.1\r\n\r\n");
  idle.receive("}");
  const auto begin = steady_clock::now();
  server_->stop();
  EXPECT_LT(steady_clock::now() - begin, milliseconds(5'000));
  EXPECT_EQ(idle.receive(), "");
}

TEST_F(HttpServerTest, AnswersRequestsThatArrivedBeforeItStops) {
  const int port = start();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(std::make_unique<Client>(port));
    clients.back()->send("GET /v2 HTTP/1.1\r\n\r\n");
    clients.back()->receive("}");  // accepted
  }
  for (const auto& client : clients) client->send(request());
  server_->stop();
  for (const auto& client : clients) {
    const std::string reply = client->receive();
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 200")) << reply;
    EXPECT_NE(reply.find("\"units\":3"), std::string::npos) << reply;
  }
}

TEST_F(HttpServerTest, RefusesAPortInUse) {
  const int port = start();
  EXPECT_THROW(HttpServer(*service_, metrics_, {.port = port}, nullptr), core::Error);
}

}  // namespace
}  // namespace accrete::serve::http_server_test
