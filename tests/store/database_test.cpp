#include "accrete/store/database.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "accrete/core/error.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::store::database_test {
namespace {

namespace fs = std::filesystem;

class DatabaseTest : public testing::Test {
 protected:
  DatabaseTest() {
    std::string pattern = (fs::temp_directory_path() / "accrete-database-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    file_ = std::make_unique<Database>((folder_ / "d.sqlite").string(), std::chrono::milliseconds(20));
    file_->run("CREATE TABLE t (n INTEGER, x REAL, s TEXT)");
  }
  ~DatabaseTest() override {
    file_.reset();
    fs::remove_all(folder_);
  }

  fs::path folder_;
  std::unique_ptr<Database> file_;
};

TEST_F(DatabaseTest, StatementsAreRunAgain) {
  Statement insert(*file_, "INSERT INTO t VALUES (?, ?, ?)");
  for (std::int64_t i = 0; i < 3; ++i) {
    insert.bind(i).bind(0.1 * static_cast<double>(i)).bind("row");
    EXPECT_FALSE(insert.step());
    insert.reset();
  }
  EXPECT_EQ(file_->number("SELECT count(*) FROM t"), 3);
  Statement read(*file_, "SELECT n, x, s FROM t WHERE n = ?");
  read.bind(std::int64_t{2});
  ASSERT_TRUE(read.step());
  EXPECT_EQ(read.number(0), 2);
  EXPECT_EQ(read.real(1), 0.2);
  EXPECT_EQ(read.text(2), "row");
}

TEST_F(DatabaseTest, AFullDiskIsNamed) {
  file_->run("PRAGMA max_page_count = 4");
  const std::string said = thrown_message<core::FileError>([&] {
    for (int i = 0; i < 100; ++i) file_->run("INSERT INTO t VALUES (1, 1, hex(zeroblob(1000)))");
  });
  EXPECT_NE(said.find("d.sqlite': No space left on device"), std::string::npos) << said;
}

TEST_F(DatabaseTest, AFileThatMayNotBeWrittenIsNamed) {
  file_->run("PRAGMA query_only = 1");
  const std::string said = thrown_message<core::FileError>([&] { file_->run("INSERT INTO t VALUES (1, 1, 'x')"); });
  EXPECT_NE(said.find("d.sqlite': it is read-only"), std::string::npos) << said;
}

TEST_F(DatabaseTest, ANameThatIsSpecialInSqliteIsAFile) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  Database(":memory:", std::chrono::milliseconds(20)).run("CREATE TABLE kept (n INTEGER)");
  EXPECT_EQ(Database(":memory:", std::chrono::milliseconds(20)).number("SELECT count(*) FROM kept"), 0);
  EXPECT_TRUE(fs::exists(folder_ / ":memory:"));
  fs::current_path(before);
}

}  // namespace
}  // namespace accrete::store::database_test
