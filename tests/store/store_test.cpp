#include "accrete/store/store.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "accrete/core/error.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::store::store_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

tune::FitKey key(std::int64_t fold = 0) {
  return {"folds=5", 0xFEEDFACECAFEBEEFu, "fake a=1", 2, tune::no_fold, fold, (std::uint64_t{1} << 53) - 1};
}

tune::FitRecord record(double value = 0.1) {
  return {
      {{50, {{"accuracy", value}, {"log_loss", 1.0 / 3.0}}}, {200, {{"accuracy", std::nan("")}, {"log_loss", 5e-324}}}},
      198,
      0.25};
}

class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    std::string pattern = (fs::temp_directory_path() / "accrete-store-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~StoreTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name = "s.sqlite") const { return (folder_ / name).string(); }

  /// What another program does to the file.
  void sql(const std::string& statements, const std::string& name = "s.sqlite") const {
    sqlite3* file = nullptr;
    ASSERT_EQ(sqlite3_open(path(name).c_str(), &file), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(file, statements.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(file);
    sqlite3_close(file);
  }

  static void expect_refusal(const std::function<void()>& act, const std::vector<std::string>& says) {
    const std::string said = thrown_message<core::FileError>(act);
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    for (const auto& word : says) EXPECT_NE(said.find(word), std::string::npos) << word << " is not in: " << said;
  }
  void expect_refused(const std::vector<std::string>& says, const std::string& name = "s.sqlite") const {
    expect_refusal([&] { open(path(name), 50ms)->find(key()); }, says);
  }

  fs::path folder_;
};

TEST_F(StoreTest, GivesBackTheBits) {
  open(path())->keep(key(), record());
  const auto found = open(path())->find(key());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->units, 198u);
  EXPECT_EQ(found->seconds, 0.25);
  ASSERT_EQ(found->prefixes.size(), 2u);
  EXPECT_EQ(found->prefixes[0].units, 50u);
  EXPECT_EQ(found->prefixes[0].metrics, record().prefixes[0].metrics);
  EXPECT_TRUE(std::isnan(found->prefixes[1].metrics[0].second));
  EXPECT_EQ(found->prefixes[1].metrics[1].second, 5e-324);
  EXPECT_FALSE(fs::exists(path("s.sqlite-wal"))) << "closing the last connection removes the write-ahead log";
}

TEST_F(StoreTest, EveryPartOfTheKeyCounts) {
  const auto store = open(path());
  store->keep(key(), record());
  for (const auto& change : std::vector<std::function<void(tune::FitKey&)>>{
           [](tune::FitKey& k) { k.study += "0"; }, [](tune::FitKey& k) { ++k.data; },
           [](tune::FitKey& k) { k.method += "0"; }, [](tune::FitKey& k) { ++k.repeat; },
           [](tune::FitKey& k) { ++k.outer_fold; }, [](tune::FitKey& k) { ++k.inner_fold; },
           [](tune::FitKey& k) { --k.seed; }}) {
    tune::FitKey other = key();
    change(other);
    EXPECT_FALSE(store->find(other).has_value());
  }
  EXPECT_TRUE(store->find(key()).has_value());
}

TEST_F(StoreTest, ReplacesTheRecordOfAKey) {
  const auto one = open(path()), two = open(path());
  one->keep(key(), record(0.1));
  two->keep(key(), record(0.2));
  EXPECT_EQ(two->find(key())->prefixes[0].metrics[0].second, 0.2);
}

TEST_F(StoreTest, ManyThreadsAndProcesses) {
  std::vector<pid_t> children;
  for (int c = 0; c < 3; ++c) {
    children.push_back(::fork());
    if (children.back() == 0) {
      try {
        const auto store = open(path());
        for (int i = 0; i < 60; ++i) store->keep(key(i), record());
        ::_exit(0);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        ::_exit(1);
      }
    }
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const auto store = open(path());
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 90; ++i) t == 0 ? store->keep(key(i), record()) : void(store->find(key(i)));
    });
  for (auto& thread : threads) thread.join();
  for (int i = 0; i < 90; ++i) EXPECT_TRUE(store->find(key(i)).has_value()) << i;
}

TEST_F(StoreTest, KilledItHasWhatWasKept) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto store = open(path());
    for (int i = 0;; ++i) {
      store->keep(key(i), record());
      if (::write(ready[1], "x", 1) != 1) ::_exit(1);
    }
  }
  char byte = 0;
  int kept = 0;
  while (kept < 25) kept += static_cast<int>(::read(ready[0], &byte, 1));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  const auto store = open(path());
  for (int i = 0; i < kept; ++i) EXPECT_TRUE(store->find(key(i)).has_value()) << i;
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(StoreTest, AnEmptyFileBecomesAStore) {
  std::ofstream{path()};
  open(path())->keep(key(), record());
  EXPECT_TRUE(open(path())->find(key()).has_value());
}

TEST_F(StoreTest, SomethingElseIsRefused) {
  std::ofstream(path()) << "x,y\n1,2\n" << std::string(5000, ' ');
  expect_refused({"s.sqlite", "not an accrete store", "not an SQLite file"});
  sql("CREATE TABLE songs (name TEXT)", "songs.sqlite");
  expect_refused({"songs.sqlite", "not an accrete store", "another program's"}, "songs.sqlite");
  sql("PRAGMA user_version = 7", "empty.sqlite");
  expect_refused({"empty.sqlite", "not an accrete store"}, "empty.sqlite");
  expect_refused({"cannot open the store", "none/s.sqlite", "No such file"}, "none/s.sqlite");
  fs::create_directory(path("folder"));
  expect_refused({"cannot open the store", "folder"}, "folder");
}

TEST_F(StoreTest, AnotherVersionIsRefusedNamingBoth) {
  open(path());
  sql("PRAGMA user_version = 41");
  expect_refused({"s.sqlite", "version 41", "version " + std::to_string(schema_version)});
}

TEST_F(StoreTest, ALockIsWaitedForAndThenNamed) {
  open(path())->keep(key(), record());
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path().c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  expect_refusal([&] { open(path(), 50ms)->keep(key(1), record()); },
                 {"s.sqlite", "locked by another process", "0.05 s"});
  EXPECT_TRUE(open(path(), 50ms)->find(key()).has_value()) << "reading is possible while another process writes";
  std::thread letting_go([&] {
    std::this_thread::sleep_for(100ms);
    sqlite3_exec(other, "COMMIT", nullptr, nullptr, nullptr);
  });
  EXPECT_NO_THROW(open(path(), 10s)->keep(key(1), record()));
  letting_go.join();
  sqlite3_close(other);
}

TEST_F(StoreTest, DamageIsNamed) {
  open(path())->keep(key(), record());
  sql("UPDATE fit SET scores = '{\"50\": [1'");
  expect_refused({"s.sqlite", "damaged", "scores"});
  sql("UPDATE fit SET scores = '{\"many\": {}}'");
  expect_refused({"s.sqlite", "damaged", "scores"});
  const auto size = fs::file_size(path());
  std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(100);
  file << std::string(size - 100, '\x5A');
  file.close();
  expect_refused({"s.sqlite"});
}

/// A file that may not grow, as on a disk that is full: the limit is set in a process of its own.
TEST_F(StoreTest, AFileThatCannotGrowIsNamed) {
  open(path());
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{40'000, 40'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      const auto store = open(path());
      for (int i = 0; i < 1000; ++i) store->keep(key(i), record());
    } catch (const core::FileError& error) {
      const std::string said = error.what();
      ::_exit(said.find("s.sqlite': ") != std::string::npos && said.find('\n') == std::string::npos ? 0 : 2);
    }
    ::_exit(1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(open(path())->find(key(0)).has_value()) << "a record stored before the failed write is still found";
}

}  // namespace
}  // namespace accrete::store::store_test
