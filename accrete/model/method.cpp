#include "accrete/model/method.hpp"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "accrete/core/error.hpp"
#include "accrete/core/suggest.hpp"

namespace accrete::model {
namespace {

constexpr std::array names{"boosting", "network", "adaboost"};

}  // namespace

const char* method_name(Method method) {
  return names[static_cast<std::size_t>(method)];
}

Method method_named(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names[i]) return static_cast<Method>(i);
  throw core::UsageError(fmt::format("unknown method '{}'; allowed: {}{}", name, list_methods(),
                                     core::did_you_mean(name, list_methods())));
}

std::string list_methods() {
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace accrete::model
