#pragma once
// The parts of the explorer page. cmake/serve.cmake compiles them into the library.

#include <string_view>

namespace accrete::serve {

extern const std::string_view explorer_html;  ///< the content of its body
extern const std::string_view explorer_css;   ///< besides the style of reports
extern const std::string_view explorer_js;    ///< runs after D3 and charts.js

}  // namespace accrete::serve
