#include "accrete/deep/predict.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <string>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/deep/error_cause.hpp"
#include "accrete/deep/prepare.hpp"

namespace accrete::deep {
namespace {

/// Applies softmax unless the rows already are probabilities.
torch::Tensor to_probabilities(const torch::Tensor& outputs) {
  const bool are_probabilities =
      outputs.ge(0.0).all().item<bool>() && outputs.sum(1).sub(1.0).abs().max().item<double>() < 1e-4;
  return are_probabilities ? outputs : outputs.softmax(1);
}

/// Rejects an unsuitable network with the same messages and error type as cut.
void check_forward(const torch::jit::Module& module, bool with_units) {
  const auto forward = module.find_method("forward");
  if (!forward) throw core::UsageError("the network has no method forward");
  const auto& arguments = forward->function().getSchema().arguments();  // the first argument is self
  if (arguments.size() < 2) throw core::UsageError("the network's forward takes no input; it must take one tensor");
  for (std::size_t i = with_units ? 3 : 2; i < arguments.size(); ++i)
    if (!arguments[i].default_value())
      throw core::UsageError(
          fmt::format("the network's forward takes '{}' too; it must take one tensor", arguments[i].name()));
}

class Predictor {
 public:
  Predictor(const TorchNetwork& network, const Signature& signature, const PredictOptions& options)
      : module_(network.module), signature_(signature), options_(options) {
    check_forward(network.module, options.units.has_value());
    if (!network.signature) prepare_ = prepare_module(signature.inputs);
    if (options.units && !takes_units(network))
      throw core::UsageError(core::parameter("units"),
                             "the network has no boosted head, so the number of units cannot be chosen");
    module_.to(options.device);
    if (prepare_) prepare_->to(options.device);
  }
  ~Predictor() { module_.to(torch::kCPU); }
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;

  /// Predictions of one batch, in double on the CPU.
  torch::Tensor batch(const torch::Tensor& inputs) {
    torch::Tensor outputs = run(inputs.to(options_.device)).to(torch::kCPU, torch::kFloat64);
    if (outputs.dim() == 1 && signature_.outputs() == 1) outputs = outputs.unsqueeze(1);
    if (outputs.dim() != 2 || outputs.size(0) != inputs.size(0) || outputs.size(1) != signature_.outputs())
      throw core::DataError(fmt::format("the network returns {} numbers per example, but the data has {}",
                                        outputs.numel() / std::max<std::int64_t>(1, inputs.size(0)),
                                        expected_outputs()));
    if (!outputs.isfinite().all().item<bool>())
      throw core::DataError("the network returns numbers that are not finite");
    return prepare_ && signature_.outputs() > 1 ? to_probabilities(outputs) : outputs;
  }

 private:
  torch::Tensor run(const torch::Tensor& inputs) {
    std::vector<c10::IValue> arguments;
    arguments.reserve(2);
    arguments.push_back(prepare_ ? prepare_->forward({inputs}) : c10::IValue(inputs));
    if (options_.units) arguments.emplace_back(*options_.units);
    try {
      return module_.forward(std::move(arguments)).toTensor();
    } catch (const std::exception& error) {
      if (options_.units) throw core::UsageError(error_cause(error));
      throw core::DataError("the network rejects these examples: " + error_cause(error));
    }
  }

  std::string expected_outputs() const {
    return signature_.outputs() > 1 ? fmt::format("{} classes", signature_.outputs()) : std::string("one target");
  }

  torch::jit::Module module_;
  std::optional<torch::jit::Module> prepare_;
  const Signature& signature_;
  const PredictOptions& options_;
};

}  // namespace

bool takes_units(const TorchNetwork& network) {
  return network.module.get_method("forward").function().getSchema().arguments().size() > 2;  // after self and inputs
}

std::int64_t round_units(const TorchNetwork& network, std::int64_t requested) {
  std::int64_t used = 0;
  for (const auto end : network.module.attr("head").toModule().attr("ends").toIntVector())
    if (end <= requested) used = end;
  return used;
}

std::optional<core::Matrix<double>> predict(const TorchNetwork& network, const Signature& signature,
                                            const TensorDataset& dataset, const PredictOptions& options) {
  const torch::NoGradGuard no_gradients;
  const torch::jit::GraphOptimizerEnabledGuard no_optimiser(false);
  Predictor predictor(network, signature, options);
  core::Matrix<double> predictions(static_cast<std::size_t>(dataset.size()),
                                   static_cast<std::size_t>(signature.outputs()));
  double* to = &predictions(0, 0);
  for (std::int64_t first = 0; first < dataset.size(); first += options.batch_size) {
    const torch::Tensor rows = predictor.batch(dataset.inputs.slice(0, first, first + options.batch_size)).contiguous();
    to = std::copy_n(rows.data_ptr<double>(), rows.numel(), to);
    if (options.observer && !options.observer(std::min(first + options.batch_size, dataset.size()), dataset.size()))
      return std::nullopt;
  }
  return predictions;
}

}  // namespace accrete::deep
