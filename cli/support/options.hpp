#pragma once
// Options shared by several commands.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "accrete/config/parameters.hpp"
#include "accrete/data/target.hpp"
#include "cli/command.hpp"

namespace accrete::cli {

/// How to read a CSV file.
struct ReadFlags {
  std::string file;
  bool no_header = false;
  std::string delimiter;
  bool zero_based = false;  ///< of svmlight files
  std::string weight_column, offset_column;
  std::string group_column;  ///< column of --group-weight, which may be an ignored column; empty: none
};

/// What to predict, and how the columns of a training table are read.
struct TargetFlags {
  std::vector<std::string> targets;
  std::string task;
  std::vector<std::string> categorical, numeric, ignore, missing_values;

  std::optional<data::Task> chosen_task() const;  ///< throws UsageError
};

/// Parameter values as given on the command line, in the order of config::parameters(); empty: not given.
using GivenParameters = std::vector<std::string>;

/// For Option::check: a whole number in this range.
std::function<std::string(const std::string&)> whole_number(std::uint64_t low, std::uint64_t high);

/// For Option::check: rejects empty text, which is usually an unset shell variable.
std::string not_empty(const std::string& text);

/// Folds of a cross-validation.
struct FoldFlags {
  std::size_t folds = 10, repeats = 1;
};
void add_fold_flags(CLI::App& app, FoldFlags& flags);
/// "10", "10 x 5 repeats"
std::string show_folds(const FoldFlags& flags);

/// --seed N, at most 2^53 - 1, which every JSON reader represents exactly. `what`: what is drawn.
void add_seed_flag(CLI::App& app, std::uint64_t& seed, const std::string& what);

/// --store FILE for finished fits; --metric NAME, whose help says what it is for ("rank", "choose").
void add_store_flag(CLI::App& app, std::string& store);
void add_metric_flag(CLI::App& app, std::string& metric, const std::string& what);
/// Throws early if the store cannot be used. Does not create it.
void check_store(const std::string& path);
/// Throws UsageError for an unknown metric, or one that does not fit the task.
void check_metric(const std::string& name, std::optional<data::Task> task);

/// The data file and how to read it: CSV only, or also svmlight.
void add_csv_flags(CLI::App& app, ReadFlags& flags);
void add_read_flags(CLI::App& app, ReadFlags& flags);
void add_weight_flag(CLI::App& app, ReadFlags& flags);
void add_offset_flag(CLI::App& app, ReadFlags& flags);
void add_target_flags(CLI::App& app, TargetFlags& flags);

/// --preset NAME.
void add_preset_flag(CLI::App& app, std::string& preset);
/// One flag per parameter of config::parameters(). `given` must outlive the parsing.
void add_parameter_flags(CLI::App& app, GivenParameters& given);
inline constexpr const char* chosen_for_the_data = "chosen for the data";
/// The value that a parameter has if it is not given: "0.1", "50, regression: 100", "chosen for the data".
std::string show_default(const config::Parameter& parameter);
/// For a command with other defaults: renames the parameters' group and removes the defaults from the help.
void replace_defaults(CLI::App& app, const std::string& group);
/// The given parameters as text, in the order of the list.
std::vector<config::Setting> given_settings(const GivenParameters& given);
/// The text given for a parameter, if any.
std::optional<std::string> given_text(const GivenParameters& given, std::string_view name);
/// The column of --group-weight; empty: none.
std::string group_column_of(const GivenParameters& given);
/// Throws UsageError for a value outside its range.
config::Config given_config(const GivenParameters& given);

}  // namespace accrete::cli
