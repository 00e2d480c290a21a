#include "accrete/core/error.hpp"
#include "accrete/store/store.hpp"

namespace accrete::store {

std::unique_ptr<Store> open(const std::string&, std::chrono::milliseconds) {
  throw core::Error("this build of accrete has no stores (built without SQLite)");
}

}  // namespace accrete::store
