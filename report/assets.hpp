#pragma once
// Files that pages carry, made part of the program when it is built (cmake/report.cmake).

#include <string_view>

namespace accrete::report::assets {

extern const std::string_view d3;          ///< D3, minified
extern const std::string_view d3_licence;  ///< which must stay with it
extern const std::string_view style_css;
extern const std::string_view charts_js;
extern const std::string_view ranks_js;  ///< both come before charts_js
extern const std::string_view field_js;
extern const std::string_view model_js;

}  // namespace accrete::report::assets
