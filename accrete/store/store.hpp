#pragma once
// Finished fits in a SQLite file, one row each, so that interrupted work can resume at any point; and results of
// experiments, one row per method.
//
// Several processes may share a file: a fit that two of them run gives the same row, and one replaces the other. SQLite
// writes to a write-ahead log next to the file (-wal, -shm), which the last process to close the file removes.
//
// store.cpp is compiled if SQLite is available, otherwise no_store.cpp.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "accrete/tune/records.hpp"

namespace accrete::store {

/// Version of the tables, stored in the file.
inline constexpr int schema_version = 2;

/// Identifies a result. Tasks and methods are given by name.
struct ResultKey {
  std::string experiment, profile, task, method;
  auto operator<=>(const ResultKey&) const = default;
};

/// The document is JSON with fields defined by the experiment.
struct Result {
  ResultKey key;
  std::string document;
};

class Store : public tune::Records {
 public:
  /// Replaces a result with the same key.
  virtual void keep_result(const Result& result) = 0;
  /// All results, ordered by key.
  virtual std::vector<Result> results() = 0;
};

/// Opens the file, or creates it. `patience`: how long to wait if another process has locked it. Throws a one-line
/// FileError, immediately or from find and keep: for a path that cannot be written, a file that is not a store, a store
/// of another version (naming both), a locked or damaged file, or a full disk.
std::unique_ptr<Store> open(const std::string& path, std::chrono::milliseconds patience = std::chrono::seconds(30));

}  // namespace accrete::store
