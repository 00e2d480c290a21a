#include "accrete/deep/predict.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <string>

#include "accrete/core/error.hpp"
#include "accrete/deep/prepare.hpp"
#include "accrete/deep/reason.hpp"

namespace accrete::deep {
namespace {

/// Applies softmax unless the rows already are probabilities.
torch::Tensor shares_of(const torch::Tensor& outputs) {
  const bool shares = outputs.ge(0.0).all().item<bool>() && outputs.sum(1).sub(1.0).abs().max().item<double>() < 1e-4;
  return shares ? outputs : outputs.softmax(1);
}

/// Rejects an unsuitable network with the same messages and error type as cut.
void check_forward(const torch::jit::Module& module, bool with_units) {
  const auto forward = module.find_method("forward");
  if (!forward) throw core::UsageError("the network has no method forward");
  const auto& arguments = forward->function().getSchema().arguments();  // the first argument is self
  if (arguments.size() < 2) throw core::UsageError("the network's forward takes nothing; it must take one tensor");
  for (std::size_t i = with_units ? 3 : 2; i < arguments.size(); ++i)
    if (!arguments[i].default_value())
      throw core::UsageError(
          fmt::format("the network's forward takes '{}' as well; it must take one tensor", arguments[i].name()));
}

class Predictor {
 public:
  Predictor(const Network& network, const Purpose& purpose, const Prediction& how)
      : module_(network.module), purpose_(purpose), how_(how) {
    check_forward(network.module, how.units.has_value());
    if (!network.purpose) prepare_ = prepare_module(purpose.inputs);
    if (how.units && !takes_units(network))
      throw core::UsageError("this network has no grown head, of which some units could be taken");
    module_.to(how.device);
    if (prepare_) prepare_->to(how.device);
  }
  ~Predictor() { module_.to(torch::kCPU); }
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;

  /// Predictions of one batch, in double on the CPU.
  torch::Tensor batch(const torch::Tensor& inputs) {
    torch::Tensor outputs = run(inputs.to(how_.device)).to(torch::kCPU, torch::kFloat64);
    if (outputs.dim() == 1 && purpose_.outputs() == 1) outputs = outputs.unsqueeze(1);
    if (outputs.dim() != 2 || outputs.size(0) != inputs.size(0) || outputs.size(1) != purpose_.outputs())
      throw core::DataError(fmt::format("the network gives {} numbers for an example, and the data has {}",
                                        outputs.numel() / std::max<std::int64_t>(1, inputs.size(0)), wanted()));
    if (!outputs.isfinite().all().item<bool>()) throw core::DataError("the network gives numbers that are not finite");
    return prepare_ && purpose_.outputs() > 1 ? shares_of(outputs) : outputs;
  }

 private:
  torch::Tensor run(const torch::Tensor& inputs) {
    std::vector<c10::IValue> arguments;
    arguments.reserve(2);
    arguments.push_back(prepare_ ? prepare_->forward({inputs}) : c10::IValue(inputs));
    if (how_.units) arguments.emplace_back(*how_.units);
    try {
      return module_.forward(std::move(arguments)).toTensor();
    } catch (const std::exception& error) {
      if (how_.units) throw core::UsageError(reason(error));
      throw core::DataError("the network does not take these examples: " + reason(error));
    }
  }

  std::string wanted() const {
    return purpose_.outputs() > 1 ? fmt::format("{} classes", purpose_.outputs()) : std::string("one target");
  }

  torch::jit::Module module_;
  std::optional<torch::jit::Module> prepare_;
  const Purpose& purpose_;
  const Prediction& how_;
};

}  // namespace

bool takes_units(const Network& network) {
  return network.module.get_method("forward").function().getSchema().arguments().size() > 2;  // after self and inputs
}

std::int64_t units_at_work(const Network& network, std::int64_t wanted) {
  std::int64_t used = 0;
  for (const auto end : network.module.attr("head").toModule().attr("ends").toIntVector())
    if (end <= wanted) used = end;
  return used;
}

std::optional<core::Matrix<double>> predict(const Network& network, const Purpose& purpose, const Examples& examples,
                                            const Prediction& how) {
  const torch::NoGradGuard no_gradients;
  const torch::jit::GraphOptimizerEnabledGuard as_written(false);
  Predictor predictor(network, purpose, how);
  core::Matrix<double> predictions(static_cast<std::size_t>(examples.size()),
                                   static_cast<std::size_t>(purpose.outputs()));
  double* to = &predictions(0, 0);
  for (std::int64_t first = 0; first < examples.size(); first += how.batch) {
    const torch::Tensor rows = predictor.batch(examples.inputs.slice(0, first, first + how.batch)).contiguous();
    to = std::copy_n(rows.data_ptr<double>(), rows.numel(), to);
    if (how.see && !how.see(std::min(first + how.batch, examples.size()), examples.size())) return std::nullopt;
  }
  return predictions;
}

}  // namespace accrete::deep
