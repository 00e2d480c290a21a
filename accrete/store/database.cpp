#include "accrete/store/database.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "accrete/core/error.hpp"

namespace accrete::store {

Database::Database(std::string path, std::chrono::milliseconds patience) : path_(std::move(path)), patience_(patience) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  // A name such as ":memory:" has a meaning for SQLite, a path does not.
  const std::string file = path_.starts_with('/') ? path_ : "./" + path_;
  if (sqlite3_open_v2(file.c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
    try {
      fail();
    } catch (...) {
      sqlite3_close_v2(handle_);
      throw;
    }
  }
  sqlite3_busy_timeout(handle_, static_cast<int>(patience.count()));
}

Database::~Database() {
  sqlite3_close_v2(handle_);
}

void Database::run(const char* statements) {
  if (sqlite3_exec(handle_, statements, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t Database::number(const char* statement) {
  Statement question(*this, statement);
  return question.step() ? question.number(0) : 0;
}

void Database::fail() const {
  const int code = sqlite3_errcode(handle_) & 0xFF, system = sqlite3_system_errno(handle_);
  const bool is_system = system != 0 && (code == SQLITE_CANTOPEN || code == SQLITE_IOERR);
  const std::string why = is_system ? std::strerror(system) : sqlite3_errmsg(handle_);
  switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw core::FileError(fmt::format("the store '{}' has been locked by another process for more than {} s", path_,
                                        static_cast<double>(patience_.count()) / 1000.0));
    case SQLITE_NOTADB:
      throw core::FileError(fmt::format("'{}' is not an accrete store: it is not an SQLite file", path_));
    case SQLITE_FULL:
      throw core::FileError(fmt::format("cannot write to the store '{}': No space left on device", path_));
    case SQLITE_READONLY:
      throw core::FileError(fmt::format("cannot write to the store '{}': it is read-only", path_));
    case SQLITE_CANTOPEN:
      throw core::FileError(fmt::format("cannot open the store '{}': {}", path_, why));
    case SQLITE_CORRUPT:
      fail_damaged(sqlite3_errmsg(handle_));
    default:
      throw core::FileError(fmt::format("cannot use the store '{}': {}", path_, why));
  }
}

void Database::fail_damaged(std::string_view how) const {
  throw core::FileError(fmt::format("the store '{}' is damaged: {}", path_, how));
}

Statement::Statement(Database& database, const char* text) : database_(database) {
  check(sqlite3_prepare_v2(database_.handle(), text, -1, &handle_, nullptr));
}

Statement::~Statement() {
  sqlite3_finalize(handle_);
}

Statement& Statement::bind(std::string_view text) {
  check(sqlite3_bind_text(handle_, ++bound_, text.data(), static_cast<int>(text.size()), SQLITE_STATIC));
  return *this;
}

Statement& Statement::bind(std::int64_t number) {
  check(sqlite3_bind_int64(handle_, ++bound_, number));
  return *this;
}

Statement& Statement::bind(double number) {
  check(sqlite3_bind_double(handle_, ++bound_, number));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail();
  return false;
}

void Statement::reset() {
  sqlite3_reset(handle_);
  bound_ = 0;
}

std::string_view Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  return bytes ? std::string_view(bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)))
               : std::string_view();
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) database_.fail();
}

}  // namespace accrete::store
