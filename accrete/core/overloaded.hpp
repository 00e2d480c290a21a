#pragma once
// A std::variant visitor made of lambdas.

namespace accrete::core {

/// std::visit with an Overloaded that lacks an alternative does not compile.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace accrete::core
