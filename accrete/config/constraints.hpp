#pragma once
// Constraints on how columns act on the score, as a caller gives them and as text.
//
//   monotone       age:+,price:-    the score never falls as age rises and never rises as price rises
//                  none             no constraint
//   interactions   a,b;c,d          a unit reads a and b, or c and d, or only columns that are not named
//                  none             a unit reads one column: an additive model
//                  all              no constraint
//
// A name that contains , ; : or " is quoted as in CSV: "price, net":-

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrete::config {

struct MonotoneColumn {
  std::string column;
  bool increasing = true;  ///< false: the score never rises as the column rises

  bool operator==(const MonotoneColumn&) const = default;
};

/// Empty: no constraint.
using Monotone = std::vector<MonotoneColumn>;

struct Interactions {
  bool additive = false;  ///< every column is its own group; `groups` is empty
  /// Columns that a unit may read together. Columns that are not named form one more group.
  std::vector<std::vector<std::string>> groups = {};

  bool empty() const { return !additive && groups.empty(); }  ///< no constraint
  bool operator==(const Interactions&) const = default;
};

/// Unset if the text is not of this form.
std::optional<Monotone> parse_monotone(std::string_view text);
std::optional<Interactions> parse_interactions(std::string_view text);

std::string text_of(const Monotone& monotone);
std::string text_of(const Interactions& interactions);

}  // namespace accrete::config
