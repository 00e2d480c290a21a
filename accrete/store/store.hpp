#pragma once
// Finished fits in a SQLite file, one row each, so that work that is broken off at any moment goes on where it was; and
// what came of them, one row for each method of an experiment.
//
// Several processes may share a file: a fit that two of them do gives the same row, and the second is left out. Rows
// are written ahead to a log beside the file (-wal, -shm), which the last process to close it takes away.
//
// store.cpp is compiled where SQLite is there, no_store.cpp where it is not.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "accrete/tune/records.hpp"

namespace accrete::store {

/// Of the tables; it is in the file.
inline constexpr int schema_version = 2;

/// Where a result belongs. Tasks and methods are by name.
struct ResultKey {
  std::string experiment, profile, task, method;
  auto operator<=>(const ResultKey&) const = default;
};

/// The document is JSON, of whatever fields the experiment has.
struct Result {
  ResultKey key;
  std::string document;
};

class Store : public tune::Records {
 public:
  /// In place of one that is there already.
  virtual void keep_result(const Result& result) = 0;
  /// All, in the order of their keys.
  virtual std::vector<Result> results() = 0;
};

/// Opens the file, or makes it. `patience` is how long another process may keep it locked. Throws FileError of one
/// line, at once or when a fit is looked for or kept: a place that cannot be written to, a file that is something else,
/// a store of another version (both are named), one that is locked or damaged, a full disk.
std::unique_ptr<Store> open(const std::string& path, std::chrono::milliseconds patience = std::chrono::seconds(30));

}  // namespace accrete::store
