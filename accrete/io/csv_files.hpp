#pragma once
// One or more CSV files with the same columns, read as one table whose rows are divided among ranks.
//
// With at least as many files as ranks, each rank reads whole files; otherwise each reads a byte range of the
// concatenated files and the rows that start in it. Either way, concatenating the rows of the ranks gives the rows of
// the files in order.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accrete/comm/communicator.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/io/csv.hpp"
#include "accrete/io/file_text.hpp"

namespace accrete::io {

/// The files that match a pattern with * ? or [ ], sorted; the path itself if it has none of these characters or is a
/// file. Throws FileError if nothing matches.
std::vector<std::string> matching_files(const std::string& pattern);

class CsvFiles {
 public:
  /// Opens the files that this rank reads. Collective, as are the other methods; `source` is for messages. An error on
  /// one rank is thrown on all (comm::agree): FileError, and UsageError for fewer gzipped files than ranks.
  CsvFiles(const std::vector<std::string>& paths, std::string source, comm::Communicator& comm);

  /// A table with the columns but no rows. Throws as csv_header does, and DataError if the files have different
  /// columns.
  data::Table header(const CsvOptions& options) const;

  /// The rows of this rank. Column types and levels are determined by the complete table. Throws as parse_csv does.
  data::Table read(const CsvOptions& options, core::Workers& workers) const;

 private:
  struct FilePart {
    std::string path;
    std::optional<CsvRange> range;
    std::shared_ptr<const FileText> text;

    std::string source() const;  ///< for messages
    CsvOptions with_range(CsvOptions options) const;
  };

  void divide(const std::vector<std::string>& paths);
  void divide_bytes(const std::vector<std::string>& paths);
  std::vector<std::string> text_columns(const std::vector<data::Table>& tables) const;

  std::string source_;
  comm::Communicator& comm_;
  bool is_one_file_;
  std::vector<FilePart> parts_;
};

}  // namespace accrete::io
