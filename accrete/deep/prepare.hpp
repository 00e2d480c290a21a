#pragma once
// The first submodule of every network: from inputs as a user has them to what the first layer takes, as TorchScript.

#include <torch/script.h>

#include "accrete/deep/examples/purpose.hpp"

namespace accrete::deep {

/// Images: float32 pixels / 255. Tables: the encoder's features (data::Encoder::encode to float rounding): columns
/// standardised, gaps marked, levels one-hot.
torch::jit::Module prepare_module(const Inputs& inputs);

}  // namespace accrete::deep
