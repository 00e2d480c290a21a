// The smallest program that uses accrete from another project; see CMakeLists.txt beside it.
#include <cstdio>

#include "accrete/core/random.hpp"
#include "accrete/core/version.hpp"

int main() {
  accrete::core::Rng rng(1, 0, accrete::core::Purpose::generator);
  std::printf("accrete %s: %.6f\n", accrete::core::version(), rng.uniform());
  return 0;
}
