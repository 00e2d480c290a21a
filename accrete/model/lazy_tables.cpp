#include "accrete/model/lazy_tables.hpp"

#include <utility>

#include "accrete/network/predict_tables.hpp"

namespace accrete::model {

LazyTables::LazyTables(const LazyTables& other) {
  set(other.owner());
}

LazyTables::LazyTables(LazyTables&& other) noexcept {
  set(other.owner_);
}

LazyTables& LazyTables::operator=(const LazyTables& other) {
  if (this != &other) set(other.owner());
  return *this;
}

LazyTables& LazyTables::operator=(LazyTables&& other) noexcept {
  if (this != &other) set(other.owner_);
  return *this;
}

LazyTables::Shared LazyTables::owner() const {
  const std::lock_guard lock(mutex_);
  return owner_;
}

void LazyTables::set(Shared tables) const {
  owner_ = std::move(tables);
  built_.store(owner_.get(), std::memory_order_release);
}

const network::PredictTables* LazyTables::get(const data::Encoder& encoder, const network::Network& network) const {
  const auto* tables = built_.load(std::memory_order_acquire);
  if (tables && tables->match(encoder, network)) return tables;
  if (!network::prefers_tables(encoder)) return nullptr;
  const std::lock_guard lock(mutex_);
  if (!owner_ || !owner_->match(encoder, network))
    set(std::make_shared<const network::PredictTables>(encoder, network));
  return owner_.get();
}

}  // namespace accrete::model
