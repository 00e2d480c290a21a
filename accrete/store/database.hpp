#pragma once
// Wraps a SQLite file and its statements, and converts errors to FileError. Internal to the store.

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace accrete::store {

/// Not thread-safe. All members throw FileError.
class Database {
 public:
  Database(std::string path, std::chrono::milliseconds patience);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Runs statements that return no rows.
  void run(const char* statements);
  /// Returns the single number that a statement selects.
  std::int64_t number(const char* statement);

  [[noreturn]] void fail() const;                              ///< throws SQLite's error message
  [[noreturn]] void fail_damaged(std::string_view how) const;  ///< throws for invalid content

  sqlite3* handle() const { return handle_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::chrono::milliseconds patience_;
  sqlite3* handle_ = nullptr;
};

/// A prepared statement for repeated use: bind all parameters, step, read, reset.
class Statement {
 public:
  Statement(Database& database, const char* text);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// Binds the next ? of the statement. Text must live until reset().
  Statement& bind(std::string_view text);
  Statement& bind(std::int64_t number);
  Statement& bind(double number);

  bool step();   ///< true if there is a row
  void reset();  ///< also releases the file lock

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
