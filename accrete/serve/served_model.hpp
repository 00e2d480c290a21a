#pragma once
// A model prepared for serving: its name and version, the columns of requests, and its descriptions.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "accrete/data/encoder/known_levels.hpp"
#include "accrete/model/model.hpp"

namespace accrete::serve {

/// A column of a request. The parts of a date are one column.
struct ServedColumn {
  enum class Kind { number, text, date, offset };
  std::string name;
  Kind kind = Kind::number;
  std::size_t input = 0;  ///< first model input that reads it; unused for an offset

  /// Numbers are FP32, offsets FP64, text and dates BYTES. Requests may use other datatypes.
  const char* datatype() const;
};

struct ServedModel {
  std::string name;
  std::string version;
  std::string path;
  model::Model model;
  std::vector<ServedColumn> columns;
  std::vector<data::KnownLevels> levels;  ///< per input of the model; empty for numbers
  bool has_dial = true;                   ///< false for plain methods
  bool takes_matrix = false;              ///< all columns are plain numbers, so a request may send a single matrix
};

/// Prepares a model: names its columns and builds its lookup tables, so that the first request is as fast as later
/// ones.
std::shared_ptr<const ServedModel> make_served_model(std::string name, std::string version, std::string path,
                                                     model::Model model);

/// Name of the input that sends all columns as one matrix.
inline constexpr const char* matrix_input = "rows";

/// The protocol's description of a model. versions: all served versions.
std::string metadata_json(const ServedModel& served, const std::vector<std::string>& versions);

/// Data for the explorer page: columns with their levels and means, classes, sizes and the loss over units.
std::string card_json(const ServedModel& served);

}  // namespace accrete::serve
