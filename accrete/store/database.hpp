#pragma once
// A SQLite file, its statements, and its errors as ours. The inside of the store.

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace accrete::store {

/// Not shared between threads. Everything throws FileError.
class Database {
 public:
  Database(std::string path, std::chrono::milliseconds patience);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Statements without answers.
  void run(const char* statements);
  /// The one number that a statement answers with.
  std::int64_t number(const char* statement);

  [[noreturn]] void fail() const;                              ///< what SQLite says is wrong
  [[noreturn]] void fail_damaged(std::string_view how) const;  ///< what is in it is wrong

  sqlite3* handle() const { return handle_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::chrono::milliseconds patience_;
  sqlite3* handle_ = nullptr;
};

/// A statement to be run again and again: bind all, step, read, reset.
class Statement {
 public:
  Statement(Database& database, const char* text);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// The next ? of the statement. A text must live until reset().
  Statement& bind(std::string_view text);
  Statement& bind(std::int64_t number);
  Statement& bind(double number);

  bool step();   ///< whether there is a row
  void reset();  ///< also lets go of the file

  std::int64_t number(int column) const { return sqlite3_column_int64(handle_, column); }
  double real(int column) const { return sqlite3_column_double(handle_, column); }
  std::string_view text(int column) const;

 private:
  void check(int code) const;

  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
  int bound_ = 0;
};

}  // namespace accrete::store
