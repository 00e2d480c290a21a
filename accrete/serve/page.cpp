#include <fmt/format.h>

#include "accrete/serve/page_assets.hpp"
#include "accrete/serve/pages.hpp"
#include "report/assets/assets.hpp"

namespace accrete::serve {

const std::optional<std::string>& explorer_page() {
  namespace assets = report::assets;
  static const std::optional<std::string> page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>accrete</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n<style>\n{}{}</style>\n</head>\n<body>\n<main>\n{}</main>\n"
      "<script type=\"application/json\" id=\"charts\">{{}}</script>\n<script>\n/*\n{}*/\n{}\n</script>\n"
      "<script>\n{}</script>\n<script>\n{}</script>\n<script>\n{}</script>\n<script>\n{}</script>\n</body>\n</html>\n",
      assets::style_css, explorer_css, explorer_html, assets::d3_licence, assets::d3, assets::ranks_js,
      assets::field_js, assets::charts_js, explorer_js);
  return page;
}

}  // namespace accrete::serve
