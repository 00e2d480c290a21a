#include "accrete/experiment/profile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"

namespace accrete::experiment {
namespace {

constexpr Profile all_profiles[] = {
    {"quick", "ten folds once, three folds inside, some settings of each grid", 1, 10, 3, false},
    {"paper", "ten folds five times, ten folds inside, the paper's grids", 5, 10, 10, true},
};

}  // namespace

std::span<const Profile> profiles() {
  return all_profiles;
}

const Profile& profile_named(std::string_view name) {
  const auto at = std::ranges::find(all_profiles, name, &Profile::name);
  if (at == std::end(all_profiles)) throw core::UsageError(core::parameter("profile", name), "must be quick or paper");
  return *at;
}

}  // namespace accrete::experiment
