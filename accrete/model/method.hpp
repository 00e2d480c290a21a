#pragma once
// The ways a model is made: grown step by step, or one of the plain ways that growing is compared with.

#include <string>
#include <string_view>

namespace accrete::model {

enum class Method {
  boosting,  ///< a few units at a time, each step fitted to what the steps before leave
  network,   ///< one plain network, all of its units trained together
  adaboost,  ///< small plain networks, each trained on rows that those before it got wrong; they vote
};

const char* method_name(Method method);
Method method_named(std::string_view name);  ///< throws UsageError that lists what is allowed
std::string list_methods();                  ///< "boosting, network, adaboost"

}  // namespace accrete::model
