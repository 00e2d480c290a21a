#pragma once
// Options that several commands share, and the tables read by them.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "accrete/boosting/parameters.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/data/target.hpp"
#include "accrete/io/csv.hpp"
#include "accrete/model/model.hpp"
#include "cli/command.hpp"

namespace accrete::cli {

/// How a CSV file is to be read.
struct ReadFlags {
  std::string file;
  bool no_header = false;
  std::string delimiter;
  std::string weight_column;
};

/// What is to be learnt from it.
struct TargetFlags {
  std::vector<std::string> targets;
  std::string task;
  std::vector<std::string> categorical;

  std::optional<data::Task> chosen_task() const;  ///< throws UsageError
};

/// The values given for parameters, by the place of the parameter in boosting::parameters().
using GivenParameters = std::vector<std::string>;

/// For Option::check: a whole number in this range.
std::function<std::string(const std::string&)> whole_number(std::uint64_t low, std::uint64_t high);

/// For Option::check: any text but the empty one, which is a shell variable that was never set.
std::string not_empty(const std::string& text);

/// How rows are cut for cross-validation.
struct FoldFlags {
  std::size_t folds = 10, repeats = 1;
};
void add_fold_flags(CLI::App& app, FoldFlags& flags);
/// "10", "10 x 5 repeats"
std::string show_folds(const FoldFlags& flags);

/// --seed N, up to the largest whole number that every reader of JSON can hold. `what` follows from it.
void add_seed_flag(CLI::App& app, std::uint64_t& seed, const std::string& what);

/// --store FILE, for finished fits, and --metric NAME, which `what` is done by.
void add_store_flag(CLI::App& app, std::string& store);
void add_metric_flag(CLI::App& app, std::string& metric, const std::string& what);

void add_read_flags(CLI::App& app, ReadFlags& flags);
void add_weight_flag(CLI::App& app, ReadFlags& flags);
void add_target_flags(CLI::App& app, TargetFlags& flags);

/// One flag per parameter of boosting::parameters(). `given` must outlive the parsing.
void add_parameter_flags(CLI::App& app, GivenParameters& given);
std::vector<boosting::Setting> overrides_of(const GivenParameters& given);
/// The override of that name, or nothing.
std::optional<std::string> override_named(const GivenParameters& given, std::string_view name);

/// How the flags say that a table to train on is read: targets and categorical columns as text, so that labels stay as
/// written.
io::CsvOptions training_csv_options(const ReadFlags& flags, const TargetFlags& target);

/// The table to train on, read so.
data::Table read_training_table(const ReadFlags& flags, const TargetFlags& target, core::Workers& workers);

/// Says on standard error when the names of the columns look like a row of data.
void note_numeric_header(const data::Table& table, const ReadFlags& flags, const Common& common);

/// A table for a model: its targets and text inputs are read as text where they are there.
data::Table read_table_for(const model::Model& model, const ReadFlags& flags, core::Workers& workers);

/// With those above it; one that is there already is fine. Throws FileError.
void make_directory(const std::string& path);

/// Throws, before the work is done, what writing the file would throw after it: FileError for a place that cannot be
/// written to, UsageError when the file is one of the inputs.
void check_output(const std::string& path, const std::vector<std::string>& inputs);

}  // namespace accrete::cli
