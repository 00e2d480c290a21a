#pragma once
// Reads svmlight (libsvm) files: one row per line, a label and the nonzero entries.
//
//   1 3:0.5 10:2 42:-1    # a comment
//
// The table has one sparse column per index up to the largest one, followed by a text column of the labels. An absent
// entry is the number 0. Skips blank lines, comments, and qid:N after the label.

#include <cstddef>
#include <string>
#include <vector>

#include "accrete/data/table.hpp"
#include "accrete/io/file_text.hpp"

namespace accrete::io {

struct SvmlightOptions {
  bool zero_based = false;                ///< columns are indexed from 0 instead of 1
  std::vector<std::string> columns = {};  ///< names if known, which also bound the indices; empty: x0, x1, ...
  std::string label = "label";            ///< name of the label column
};

/// Larger indices are treated as mistakes, because every column takes memory even if it is empty.
inline constexpr std::size_t max_svmlight_columns = 5'000'000;

/// True for a name that ends in .svm, .svmlight or .libsvm, optionally followed by .gz.
bool is_svmlight(const std::string& path);

/// Reads a plain or gzipped file. Throws FileError if it cannot be read, and DataError that names file and line for a
/// missing label, several labels, an entry that is not index:value, indices that do not ascend or are too large, and a
/// value that is not a finite number; also for a file without rows or entries.
data::Table read_svmlight(const std::string& path, const SvmlightOptions& options = {});

/// The same for text in memory; `source` replaces the path in messages and in the table.
data::Table parse_svmlight(const FileText& file, const std::string& source, const SvmlightOptions& options = {});

}  // namespace accrete::io
