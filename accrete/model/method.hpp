#pragma once
// The training methods: boosting, and the plain methods it is compared with.

#include <string>
#include <string_view>

namespace accrete::model {

enum class Method {
  boosting,  ///< adds a block of units per step, fitted to the residual of the previous steps
  network,   ///< one plain network (MLP), all units trained together
  adaboost,  ///< AdaBoost of small plain networks
};

const char* method_name(Method method);
Method method_named(std::string_view name);  ///< throws UsageError, which lists the names, for an unknown one
std::string list_methods();                  ///< "boosting, network, adaboost"

}  // namespace accrete::model
