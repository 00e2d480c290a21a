#pragma once
// Messages with parameters under their Python names and rows counted from 0.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accrete/core/message.hpp"
#include "accrete/core/row.hpp"

namespace accrete::python {

/// Parameters with another name in scikit-learn: (name in the library, name in Python).
inline constexpr std::pair<std::string_view, std::string_view> renamed_parameters[] = {
    {"units", "n_units"},
    {"seed", "random_state"},
    {"weight_column", "sample_weight"},
    {"offset_column", "init_score"},
    {"monotone", "monotonic_cst"},
    {"interactions", "interaction_cst"},
};

inline constexpr core::RowNames python_rows{.first = 0};

/// "n_units=0: must be at least 1"
std::string render(const core::Message& message);
std::vector<std::string> render(const std::vector<core::Message>& notes);

}  // namespace accrete::python
