#include "accrete/deep/joined.hpp"

#include "accrete/deep/grown.hpp"

namespace accrete::deep {
namespace {

nlohmann::json record_of(const model::Model& head) {
  nlohmann::json parameters = nlohmann::json::object();
  for (const auto& [name, value] : head.provenance.parameters) parameters[name] = value;
  nlohmann::json record{{"units", head.network.units()},
                        {"steps", head.network.steps()},
                        {"features", head.encoder.inputs().size()},
                        {"examples", head.provenance.training_rows},
                        {"loss", head.loss.name()},
                        {"parameters", parameters},
                        {"train_loss", head.provenance.train_loss}};
  if (!head.provenance.validation_loss.empty()) record["validation_loss"] = head.provenance.validation_loss;
  return record;
}

}  // namespace

TorchNetwork join(const torch::jit::Module& frozen, const model::Model& head, const Signature& signature) {
  torch::jit::Module module("__torch__.accrete.Joined");
  module.register_attribute("training", c10::BoolType::get(), false);  // set by PyTorch's train() and eval()
  module.register_module("features", frozen);
  module.register_module("head", grown_module(head));
  module.define(
      "def forward(self, inputs, units: Optional[int] = None):\n"
      "    return self.head.forward(self.features.forward(inputs), units)\n");
  Signature joined = signature;
  joined.task = head.task;
  joined.targets = head.targets;
  joined.classes = head.classes;
  return {std::move(module), std::move(joined), {{"head", record_of(head)}}};
}

}  // namespace accrete::deep
