// Replaces page.cpp in a build without D3: the server has no page.

#include "accrete/serve/pages.hpp"

namespace accrete::serve {

const std::optional<std::string>& explorer_page() {
  static const std::optional<std::string> none;
  return none;
}

}  // namespace accrete::serve
