#pragma once
// Reads svmlight (libsvm) files: one row per line, a label and the entries that are not 0.
//
//   1 3:0.5 10:2 42:-1    # a comment
//
// The table has a sparse column for each index up to the largest one and, last, a text column of the labels. An absent
// entry is the number 0. Blank lines and comments are skipped, and so is qid:N after the label.

#include <cstddef>
#include <string>
#include <vector>

#include "accrete/data/table.hpp"
#include "accrete/io/file_text.hpp"

namespace accrete::io {

struct SvmlightOptions {
  bool zero_based = false;                ///< the first column has index 0, not 1
  std::vector<std::string> columns = {};  ///< names, if known; a larger index is an error. Empty: x0, x1, ...
  std::string label = "label";            ///< name of the labels' column
};

/// An index above this is a mistake: every column takes memory, also if it is empty.
inline constexpr std::size_t max_svmlight_columns = 5'000'000;

/// True for a name that ends in .svm, .svmlight or .libsvm, also before .gz.
bool is_svmlight(const std::string& path);

/// Reads the file, plain or gzipped. Throws FileError if it cannot be read, and DataError, which names file and line,
/// for a missing label, several labels, an entry that is not index:value, indices that do not ascend or are too large,
/// and a value that is not a finite number; also for a file without rows or entries.
data::Table read_svmlight(const std::string& path, const SvmlightOptions& options = {});

/// The same from memory; `source` replaces the path in messages and in the table.
data::Table parse_svmlight(const FileText& file, const std::string& source, const SvmlightOptions& options = {});

}  // namespace accrete::io
