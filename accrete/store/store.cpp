#include "accrete/store/store.hpp"

#include <fmt/format.h>

#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>

#include "accrete/core/error.hpp"
#include "accrete/store/database.hpp"

namespace accrete::store {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t application_id = 0x41434352;  // "ACCR", identifies the file type

constexpr const char* tables = R"(
  CREATE TABLE fit (
    study TEXT NOT NULL, data TEXT NOT NULL, method TEXT NOT NULL,
    repeat INTEGER NOT NULL, outer_fold INTEGER NOT NULL, inner_fold INTEGER NOT NULL, seed INTEGER NOT NULL,
    units INTEGER NOT NULL, seconds REAL NOT NULL, scores TEXT NOT NULL,
    PRIMARY KEY (study, data, method, repeat, outer_fold, inner_fold, seed)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE result (
    experiment TEXT NOT NULL, profile TEXT NOT NULL, task TEXT NOT NULL, method TEXT NOT NULL, document TEXT NOT NULL,
    PRIMARY KEY (experiment, profile, task, method)
  ) STRICT, WITHOUT ROWID;)";

constexpr const char* find_fit =
    "SELECT units, seconds, scores FROM fit WHERE study = ? AND data = ? AND method = ? AND repeat = ? AND "
    "outer_fold = ? AND inner_fold = ? AND seed = ?";
constexpr const char* keep_fit = "INSERT OR REPLACE INTO fit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

constexpr const char* keep_one_result = "INSERT OR REPLACE INTO result VALUES (?, ?, ?, ?, ?)";
constexpr const char* all_results =
    "SELECT experiment, profile, task, method, document FROM result ORDER BY experiment, profile, task, method";

/// {"50": {"accuracy": 0.9, ...}, ...}: doubles round-trip exactly, NaN is null.
std::string scores_text(const tune::FitRecord& record) {
  Json document = Json::object();
  for (const tune::PrefixScores& prefix : record.prefixes) {
    Json& metrics = document[std::to_string(prefix.units)] = Json::object();
    for (const auto& [name, value] : prefix.metrics) metrics[name] = value;
  }
  return document.dump();
}

/// Throws a JSON exception or another std::exception for invalid text.
std::vector<tune::PrefixScores> parse_scores(std::string_view text) {
  std::vector<tune::PrefixScores> prefixes;
  const Json document = Json::parse(text);
  for (const auto& [units, metrics] : document.items()) {
    tune::PrefixScores& prefix = prefixes.emplace_back();
    prefix.units = std::stoull(units);
    for (const auto& [name, value] : metrics.items())
      prefix.metrics.emplace_back(name,
                                  value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
  }
  return prefixes;
}

bool is_empty(Database& file) {
  return file.number("SELECT count(*) FROM sqlite_master") == 0 && file.number("PRAGMA user_version") == 0;
}

/// True if the tables exist. Throws for a file of another program or another version.
bool has_tables(Database& file) {
  const std::int64_t kind = file.number("PRAGMA application_id"), version = file.number("PRAGMA user_version");
  if (kind == 0 && is_empty(file)) return false;
  if (kind != application_id)
    throw core::FileError(
        fmt::format("'{}' is not an accrete store: it is another program's SQLite file", file.path()));
  if (version != schema_version)
    throw core::FileError(fmt::format("the store '{}' has version {}; this accrete reads and writes version {}",
                                      file.path(), version, schema_version));
  return true;
}

/// If two processes create the tables concurrently, the second one finds them.
void create_tables(Database& file) {
  file.run("BEGIN IMMEDIATE");
  if (!has_tables(file)) {
    file.run(tables);
    file.run(
        fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application_id, schema_version).c_str());
  }
  file.run("COMMIT");
}

/// The database with its tables created. If write-ahead logging is unavailable (another process is enabling it, or the
/// file system has no shared memory), SQLite's rollback journal works too.
class StoreDatabase : public Database {
 public:
  StoreDatabase(const std::string& path, std::chrono::milliseconds patience) : Database(path, patience) {
    run("BEGIN");  // one snapshot: another process may be creating the tables
    const bool made = has_tables(*this);
    run("COMMIT");
    if (!made) create_tables(*this);
    sqlite3_exec(handle(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
    run("PRAGMA synchronous = NORMAL");
  }
};

class SqliteStore : public Store {
 public:
  SqliteStore(const std::string& path, std::chrono::milliseconds patience)
      : file_(path, patience), find_(file_, find_fit), keep_(file_, keep_fit) {}

  std::optional<tune::FitRecord> find(const tune::FitKey& key) override {
    const std::scoped_lock lock(mutex_);
    const std::string data = fmt::format("{:016x}", key.data);
    const Done done{find_};
    bind(find_, key, data);
    if (!find_.step()) return std::nullopt;
    tune::FitRecord record;
    record.units = static_cast<std::size_t>(find_.number(0));
    record.seconds = find_.real(1);
    try {
      record.prefixes = parse_scores(find_.text(2));
    } catch (const std::exception&) {
      file_.fail_damaged("the scores of a fit cannot be read");
    }
    return record;
  }

  void keep(const tune::FitKey& key, const tune::FitRecord& record) override {
    const std::string data = fmt::format("{:016x}", key.data), scores = scores_text(record);
    const std::scoped_lock lock(mutex_);
    const Done done{keep_};
    bind(keep_, key, data).bind(static_cast<std::int64_t>(record.units)).bind(record.seconds).bind(scores);
    keep_.step();
  }

  void keep_result(const Result& result) override {
    const std::scoped_lock lock(mutex_);
    Statement keep(file_, keep_one_result);
    const auto& [experiment, profile, task, method] = result.key;
    keep.bind(experiment).bind(profile).bind(task).bind(method).bind(result.document).step();
  }

  std::vector<Result> results() override {
    const std::scoped_lock lock(mutex_);
    Statement all(file_, all_results);
    std::vector<Result> found;
    const auto text = [&](int column) { return std::string(all.text(column)); };
    while (all.step()) found.push_back({{text(0), text(1), text(2), text(3)}, text(4)});
    return found;
  }

 private:
  /// Resets the statement on every exit path.
  struct Done {
    Statement& statement;
    ~Done() { statement.reset(); }
  };

  static Statement& bind(Statement& statement, const tune::FitKey& key, std::string_view data) {
    return statement.bind(key.study)
        .bind(data)
        .bind(key.method)
        .bind(key.repeat)
        .bind(key.outer_fold)
        .bind(key.inner_fold)
        .bind(static_cast<std::int64_t>(key.seed));
  }

  std::mutex mutex_;
  StoreDatabase file_;
  Statement find_, keep_;
};

}  // namespace

std::unique_ptr<Store> open(const std::string& path, std::chrono::milliseconds patience) {
  return std::make_unique<SqliteStore>(path, patience);
}

}  // namespace accrete::store
