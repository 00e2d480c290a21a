#include "accrete/comm/one_process.hpp"

namespace accrete::comm {

Communicator& one_process() {
  static OneProcess alone;
  return alone;
}

}  // namespace accrete::comm
