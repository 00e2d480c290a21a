#include "accrete/serve/outputs.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "accrete/core/parallel.hpp"
#include "accrete/core/suggest.hpp"
#include "accrete/explain/contributions.hpp"
#include "accrete/model/interval.hpp"
#include "accrete/model/link.hpp"
#include "accrete/model/plain.hpp"
#include "accrete/serve/request_error.hpp"

namespace accrete::serve {
namespace {

OutputTensor tensor(const std::string& name, const char* datatype, std::vector<std::size_t> shape) {
  return {.name = name, .datatype = find_datatype(datatype), .shape = std::move(shape)};
}

OutputTensor numbers(const std::string& name, const char* datatype, const core::Matrix<double>& values) {
  OutputTensor result = tensor(name, datatype, {values.rows(), values.cols()});
  result.numbers.assign(values.flat().begin(), values.flat().end());
  return result;
}

OutputTensor labels(const model::Model& model, const core::Matrix<double>& predictions) {
  OutputTensor result = tensor("label", "BYTES", {predictions.rows()});
  for (std::size_t r = 0; r < predictions.rows(); ++r)
    result.texts.push_back(model.classes[model::best_class(predictions.row(r))]);
  return result;
}

/// A vector if there is one value per row; a matrix for several targets or quantiles.
OutputTensor values(const model::Model& model, const core::Matrix<double>& predictions) {
  if (!model::predicts_median(model) && predictions.cols() != 1) return numbers("prediction", "FP64", predictions);
  const std::size_t column = model::predicts_median(model) ? model.point().column : 0;
  OutputTensor result = tensor("prediction", "FP64", {predictions.rows()});
  for (std::size_t r = 0; r < predictions.rows(); ++r) result.numbers.push_back(predictions(r, column));
  return result;
}

explain::Contributions explain_rows(const model::Model& model, const RequestRows& rows, std::size_t steps) {
  core::Workers workers(1);
  if (rows.table.columns.empty()) return explain::contributions(model, rows.raw, steps, workers);
  return explain::contributions(model, rows.table, steps, workers);
}

OutputTensor explained(const std::string& name, const explain::Contributions& found) {
  OutputTensor result = name == baseline_output ? tensor(name, "FP64", {found.outputs})
                                                : tensor(name, "FP64", {found.rows, found.columns, found.outputs});
  result.numbers = name == baseline_output ? found.baseline : found.values;
  return result;
}

bool is_explained(const std::string& name) {
  return name == contributions_output || name == baseline_output;
}

/// Intervals, sets and contributions need a single prefix, but rows with early exit use different ones.
bool needs_one_prefix(const std::string& name) {
  return name != "label" && name != "probabilities" && name != "prediction";
}

[[noreturn]] void refuse_output(const std::string& output, const std::vector<std::string>& names) {
  const std::string list = fmt::format("{}", fmt::join(names, ", "));
  throw RequestError(
      fmt::format("unknown output '{}'; the model has {}{}", output, list, core::did_you_mean(output, list)));
}

}  // namespace

std::vector<OutputDescription> describe_outputs(const model::Model& model) {
  std::vector<OutputDescription> outputs;
  const long classes = static_cast<long>(model.classes.size());
  if (classes > 0) {
    outputs = {{"label", "BYTES", {-1}}, {"probabilities", "FP64", {-1, classes}}};
    if (model.calibration.coverage > 0.0) outputs.push_back({"set", "BOOL", {-1, classes}});
    return outputs;
  }
  const auto values = static_cast<long>(model::predictions_per_row(model));
  const bool single = model::predicts_median(model) || values == 1;
  outputs.push_back({"prediction", "FP64", single ? std::vector<long>{-1} : std::vector<long>{-1, values}});
  if (model.calibration.coverage > 0.0) outputs.push_back({"interval", "FP64", {-1, 2}});
  return outputs;
}

void check_outputs(const ServedModel& served, const InferRequest& request) {
  std::vector<std::string> names;
  for (const OutputDescription& output : describe_outputs(served.model)) names.push_back(output.name);
  names.insert(names.end(), {contributions_output, baseline_output});
  for (const RequestedOutput& output : request.outputs) {
    if (std::ranges::find(names, output.name) == names.end()) refuse_output(output.name, names);
    if (request.exits() && needs_one_prefix(output.name))
      throw RequestError(fmt::format("output '{}': cannot be used with the parameter 'exit'", output.name));
    if (is_explained(output.name)) model::require_grown(served.model, contributions_output);
    for (const char* name : {"classification", "shared_memory_region"})
      if (output.parameters.contains(name))
        throw RequestError(fmt::format("output '{}': the parameter {} is not supported", output.name, name));
  }
}

std::vector<OutputTensor> make_outputs(const ServedModel& served, const InferRequest& request, const RequestRows& rows,
                                       const core::Matrix<double>& predictions, std::size_t steps) {
  const model::Model& model = served.model;
  std::optional<explain::Contributions> found;
  const auto make = [&](const std::string& name) {
    if (name == "label") return labels(model, predictions);
    if (name == "probabilities") return numbers(name, "FP64", predictions);
    if (name == "set") return numbers(name, "BOOL", model::sets_of(model, predictions, steps));
    if (name == "interval") return numbers(name, "FP64", model::intervals_of(model, predictions, steps));
    if (name == "prediction") return values(model, predictions);
    if (!found) found = explain_rows(model, rows, steps);
    return explained(name, *found);
  };
  std::vector<OutputTensor> outputs;
  if (request.outputs.empty())
    for (const OutputDescription& output : describe_outputs(model)) {
      if (request.exits() && needs_one_prefix(output.name)) continue;
      outputs.push_back(make(output.name));
      outputs.back().binary = request.is_binary(nullptr);
    }
  for (const RequestedOutput& output : request.outputs) {
    outputs.push_back(make(output.name));
    outputs.back().binary = request.is_binary(&output);
  }
  return outputs;
}

}  // namespace accrete::serve
