#pragma once
// Files that every page embeds. cmake/report.cmake compiles them into the library.

#include <string_view>

namespace accrete::report::assets {

extern const std::string_view d3;          ///< D3, minified
extern const std::string_view d3_licence;  ///< must accompany D3
extern const std::string_view style_css;
extern const std::string_view charts_js;
extern const std::string_view ranks_js;  ///< precedes charts_js
extern const std::string_view field_js;  ///< precedes charts_js
extern const std::string_view model_js;
extern const std::string_view demo_js;

}  // namespace accrete::report::assets
