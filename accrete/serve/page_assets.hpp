#pragma once
// The parts of the explorer page, which cmake/serve.cmake compiles into the library.

#include <string_view>

namespace accrete::serve {

extern const std::string_view explorer_html;  ///< the content of its body
extern const std::string_view explorer_css;   ///< in addition to the style of reports
extern const std::string_view explorer_js;    ///< loaded after D3 and charts.js

}  // namespace accrete::serve
