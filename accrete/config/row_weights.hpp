#pragma once
// Weights of rows by name, as a caller gives them and as text. They multiply with the sample weights.
//
//   class_weight   spam:5,ham:1            rows of these classes; others weigh 1
//                  balanced                each class has the same total weight
//   group_weight   region:north=2,south=1  rows with these values of the column; others weigh 1
//                  region                  each value of the column has the same total weight
//
// Names that contain , ; : or " (in groups also =) are quoted as in CSV: "spam, certain":5. none: no weights.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrete::config {

/// `weight` may be any number; the fit, which knows the names, rejects weights that are not above 0.
struct NamedWeight {
  std::string name;
  double weight = 1.0;

  bool operator==(const NamedWeight&) const = default;
};

struct ClassWeights {
  bool balanced = false;  ///< `named` is empty
  std::vector<NamedWeight> named = {};

  bool empty() const { return !balanced && named.empty(); }
  bool operator==(const ClassWeights&) const = default;
};

struct GroupWeights {
  std::string column = {};              ///< empty: no weights
  std::vector<NamedWeight> named = {};  ///< by value of the column; empty: balanced

  bool empty() const { return column.empty(); }
  bool operator==(const GroupWeights&) const = default;
};

/// Unset if the text is not of this form.
std::optional<ClassWeights> parse_class_weights(std::string_view text);
std::optional<GroupWeights> parse_group_weights(std::string_view text);

std::string text_of(const ClassWeights& weights);
std::string text_of(const GroupWeights& weights);

}  // namespace accrete::config
