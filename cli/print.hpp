#pragma once
// All that is written to standard output and standard error, and what figures look like there.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accrete/boosting/parameters.hpp"
#include "accrete/model/model.hpp"
#include "accrete/tune/summary.hpp"
#include "cli/command.hpp"

namespace accrete::cli {

using Json = nlohmann::ordered_json;

/// Standard output did not take what was written. broken_pipe: the reader has gone, which is its right.
struct OutputError {
  bool broken_pipe = false;
  std::string message;
};

/// To standard output; throws OutputError.
void print(std::string_view text);
/// Throws OutputError when anything printed so far did not arrive.
void finish_output();
/// One JSON object and a newline.
void print_json(const Json& object);

/// "accrete: ..." as one line on standard error, unless quiet.
void note(const Common& common, std::string_view text);
/// The same whatever is asked for; control characters are replaced, so that it is one line.
void print_error(std::string_view text);

/// Lines of "name   value", the values under each other.
std::string list_facts(const std::vector<std::pair<std::string, std::string>>& facts);
/// Columns as wide as they need, the first row a header; numbers to the right.
std::string draw_table(const std::vector<std::vector<std::string>>& rows);

std::string show_number(double value);                           ///< five digits
std::string show_metric(const std::string& name, double value);  ///< accuracy in per cent
std::string show_seconds(double seconds);                        ///< "0.52 s", "3 min 20 s"
/// "84.87 ± 0.68 %": mean and standard error of a metric.
std::string show_with_error(const std::string& metric, const tune::Summary& summary);
std::string show_list(const std::vector<std::string>& items, std::size_t most = 10);

/// Parameters with the type each has.
Json parameters_json(const std::vector<boosting::Setting>& settings);

/// The networks of a model that was not grown: "30 features -> 100, 100 relu units -> 1 outputs", "67 of ...".
std::string show_networks(const model::Model& model);

/// The steps that --units asks for; says on standard error when the number lies between two steps.
std::size_t steps_for(const model::Model& model, std::size_t units, const Common& common);

/// "alpha 10, bins 8: the best of 5 settings on 1000 rows held out in 5 parts, with 136 units"
std::string show_choice(const model::Choice& choice);
Json choice_json(const model::Choice& choice);

/// Of rows held out: at the network's end, or as far as it was measured where the network is longer than what was
/// tried.
struct HeldOutLoss {
  double loss;
  std::size_t units;
};
std::optional<HeldOutLoss> held_out_loss(const model::Model& model);

}  // namespace accrete::cli
