#include "accrete/core/version.hpp"

namespace accrete::core {

const char* version() {
  return ACCRETE_VERSION;
}

}  // namespace accrete::core
