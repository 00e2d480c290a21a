#pragma once
// The part of a model file that is words rather than numbers: a JSON document kept in the container's
// metadata.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/activation/list.hpp"
#include "accrete/data/encoder.hpp"
#include "accrete/model/model.hpp"

namespace accrete::io {

/// What the document says. The numbers that live in tensors are not filled in yet.
struct Description {
  model::Model model;               ///< method, task, loss, targets, classes, parameters, rows and fingerprint
  std::vector<data::Input> inputs;  ///< without their numbers
  std::vector<std::size_t> bins;    ///< of each input, at most data::most_bins
  activation::Activation activation;
  std::size_t units = 0, features = 0, outputs = 0;
  std::vector<std::size_t> widths;  ///< of a plain network: features, hidden layers, outputs; empty for a grown one
  std::size_t members = 0;          ///< how many of these
};

/// Same model, same text. Throws DataError when a name or label is not UTF-8.
std::string write_description(const model::Model& model);

/// Throws core::Error when the document is malformed or names something unknown; the message does not name
/// the file.
Description parse_description(std::string_view text);

}  // namespace accrete::io
