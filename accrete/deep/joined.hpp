#pragma once
// A frozen part and a grown head as one TorchScript module, which runs in plain PyTorch:
//
//   net = torch.jit.load("joined.pt"); net(x); net(x, 100)     # with the first 100 units of the head

#include "accrete/deep/network_file.hpp"
#include "accrete/model/model.hpp"

namespace accrete::deep {

/// forward(inputs, units: Optional[int] = None) -> probabilities or values; submodules `features` (the frozen part with
/// its preparation) and `head`. `units` rounds down to whole steps as model::Model::steps_for does, and raises where it
/// throws; None and 0 mean all. `head` must be grown on the features of `frozen`: its task, targets and classes become
/// those of the signature, and record["head"] describes how it was grown.
TorchNetwork join(const torch::jit::Module& frozen, const model::Model& head, const Signature& signature);

}  // namespace accrete::deep
