#pragma once
// The first submodule of every network, in TorchScript: converts the user's inputs to those of the first layer.

#include <torch/script.h>

#include "accrete/deep/signature.hpp"

namespace accrete::deep {

/// Images: float32 pixels / 255. Tables: the encoder's features (data::Encoder::encode, up to float rounding): columns
/// standardised, missing values marked, levels one-hot.
torch::jit::Module prepare_module(const Inputs& inputs);

}  // namespace accrete::deep
