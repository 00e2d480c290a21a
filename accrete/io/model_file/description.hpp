#pragma once
// The JSON document in the metadata of a model file: everything except the tensors.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/activation/list.hpp"
#include "accrete/data/encoder.hpp"
#include "accrete/model/model.hpp"

namespace accrete::io {

/// The parsed document, without the numbers that are stored in tensors.
struct ModelDescription {
  model::Model model;               ///< method, task, loss, targets, classes, parameters, rows and fingerprint
  std::vector<data::Input> inputs;  ///< without their numbers
  std::vector<std::size_t> bins;    ///< number of bins per input, at most data::max_bins
  activation::Activation activation;
  std::size_t units = 0, features = 0, outputs = 0;
  std::vector<std::size_t> widths;  ///< plain networks: features, hidden layers, outputs; otherwise empty
  std::size_t members = 0;          ///< number of plain networks
};

/// The same model always gives the same text. Throws DataError if a name or label is not UTF-8.
std::string write_description(const model::Model& model);

/// Throws core::Error if the document is malformed or contains an unknown name; the message does not name the file.
ModelDescription parse_description(std::string_view text);

}  // namespace accrete::io
