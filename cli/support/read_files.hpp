#pragma once
// Reading of the files that the flags name.

#include <string>
#include <vector>

#include "accrete/comm/communicator.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/io/csv.hpp"
#include "accrete/io/svmlight.hpp"
#include "accrete/model/model.hpp"
#include "cli/support/options.hpp"

namespace accrete::cli {

/// Delimiter and header of the file.
io::CsvOptions csv_options(const ReadFlags& flags);

/// How an svmlight file is read. columns: the names of those that are read, if they are known.
io::SvmlightOptions svmlight_options(const ReadFlags& flags, const std::vector<std::string>& columns = {});

/// The files that a path or pattern names, as rank 0 finds them.
std::vector<std::string> files_of(const std::string& pattern, comm::Communicator& comm);

/// Throws UsageError if the file is an svmlight file, which this command does not read.
void refuse_svmlight(const ReadFlags& flags, const std::string& command);

/// Throws UsageError if several ranks would read an svmlight file.
void refuse_svmlight_on_ranks(const ReadFlags& flags, const comm::Communicator& comm);

/// Prints a note if the column names look like a row of data.
void note_numeric_header(const data::Table& table, const ReadFlags& flags, const Common& common);

enum class Targets { optional, required };

/// A table for a model, read in the formats of its inputs; its targets, if present, and text inputs are read as text.
/// Columns that are missing are reported before the rows are read. flags.file may be a pattern: the rows of all files
/// that match. Across ranks, the table has the rows of this rank, as io::CsvFiles divides them.
data::Table read_table_for(const model::Model& model, const ReadFlags& flags, core::Workers& workers,
                           Targets targets = Targets::optional, comm::Communicator& comm = comm::one_process());

}  // namespace accrete::cli
