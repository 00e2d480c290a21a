#pragma once
// A std::variant visitor made of lambdas.

namespace accrete::core {

/// std::visit does not compile if no function accepts one of the variant's alternatives.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace accrete::core
