#pragma once
// Reads the files named by flags.

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

/// How to read an svmlight file. columns: the names to read, if known.
io::SvmlightOptions svmlight_options(const ReadFlags& flags, const std::vector<std::string>& columns = {});

/// The files that match a path or pattern, as found by rank 0.
std::vector<std::string> files_of(const std::string& pattern, comm::Communicator& comm);

/// Throws UsageError if the file is an svmlight file, which this command does not support.
void refuse_svmlight(const ReadFlags& flags, const std::string& command);

/// Throws UsageError if several ranks would read an svmlight file.
void refuse_svmlight_on_ranks(const ReadFlags& flags, const comm::Communicator& comm);

/// Prints a note if the column names look like a row of data.
void note_numeric_header(const data::Table& table, const ReadFlags& flags, const Common& common);

enum class Targets { optional, required };

/// Reads a table for a model, in the formats of its inputs; its targets, if present, and text inputs are read as text.
/// Reports missing columns before reading the rows. flags.file may be a pattern; the table has the rows of all matching
/// files. Across ranks, it has the rows of this rank, as divided by io::CsvFiles.
data::Table read_table_for(const model::Model& model, const ReadFlags& flags, core::Workers& workers,
                           Targets targets = Targets::optional, comm::Communicator& comm = comm::one_process());

}  // namespace accrete::cli
