#pragma once
// Output to standard output and standard error, and number formatting.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accrete/config/parameters.hpp"
#include "accrete/core/message.hpp"
#include "accrete/model/model.hpp"
#include "accrete/tune/summary.hpp"
#include "cli/command.hpp"

namespace accrete::cli {

using Json = nlohmann::ordered_json;

/// Thrown if writing to standard output fails. broken_pipe: the reader closed it, which is not an error.
struct OutputError {
  bool broken_pipe = false;
  std::string message;
};

/// To standard output; throws OutputError.
void print(std::string_view text);
/// Flushes standard output. Throws OutputError.
void finish_output();
/// One JSON object and a newline.
void print_json(const Json& object);

/// Prints "accrete: ..." as one line on standard error, unless quiet.
void note(const Common& common, const core::Message& message);
/// The same even if quiet.
void print_error(const core::Message& message);
/// Silences print_error, because another rank prints the error.
void silence_errors();

/// Renders a message of the library with parameters as flags and rows as rows of the file, not counting the header:
/// "--units-per-step 0: must be at least 1".
std::string render(const core::Message& message);
/// "--units-per-step" for units_per_step.
std::string flag_of(std::string_view parameter);
Json notes_json(const std::vector<core::Message>& notes);

/// Lines of "name   value" with aligned values.
std::string list_facts(const std::vector<std::pair<std::string, std::string>>& facts);
/// Aligned columns with the first row as header; numbers are right-aligned.
std::string draw_table(std::vector<std::vector<std::string>> rows);

/// "5 columns as 12 features", or "5 columns" if each is one feature. The parts of a date are one column.
std::string show_inputs(const data::Encoder& encoder);

std::string show_number(double value);     ///< with five digits
bool is_share(const std::string& metric);  ///< true if it is shown in percent
/// "0.9, calibrated on 206 held-out rows"
std::string show_calibration(const model::Calibration& calibration);
std::string show_metric(const std::string& name, double value);  ///< accuracy in percent
/// "squared 12.5 (RMSE 5)": the squared loss of one target is half the mean squared error.
std::string show_loss(const model::Model& model, double value);
/// The RMSE of a squared loss with one target; otherwise unset.
std::optional<double> rmse_of(const model::Model& model, double loss);
std::string show_seconds(double seconds);  ///< "0.52 s", "3 min 20 s"
/// "84.87 ± 0.68 %": mean and standard error of a metric.
std::string show_with_error(const std::string& metric, const tune::Summary& summary);
Json summary_json(const tune::Summary& summary);
/// "regression: the target has 40 distinct numeric values"; the reason is empty if --task is given.
std::string show_task(data::Task task, const core::Message& reason);
std::string show_list(const std::vector<std::string>& items, std::size_t max_items = 10);

/// Parameters as typed JSON values.
Json parameters_json(const std::vector<config::Setting>& settings);

/// The networks of a plain model: "30 features -> 100, 100 relu units -> 1 output", "67 of ...".
std::string show_networks(const model::Model& model);

/// The number of steps within --units. Prints a note if --units is between two steps.
std::size_t steps_for(const model::Model& model, std::size_t units, const Common& common);

/// "alpha 10, bins 8: best of 5 settings on 1000 held-out rows in 5 folds"
std::string show_choice(const model::ParameterChoice& choice);
Json choice_json(const model::ParameterChoice& choice);

/// The held-out loss at the end of the network, or at the last measured step if the network is longer.
struct HeldOutLoss {
  double loss;
  std::size_t steps;  ///< the step at which it was measured
};
std::optional<HeldOutLoss> held_out_loss(const model::Model& model);
/// "logistic 0.31", with the number of steps if the network has more.
std::string show_held_out(const model::Model& model, const HeldOutLoss& held_out);

}  // namespace accrete::cli
