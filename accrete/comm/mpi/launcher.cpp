#include <charconv>
#include <cstdlib>
#include <cstring>

#include "accrete/comm/mpi/world.hpp"

namespace accrete::comm {

std::size_t launched_ranks() {
  // Open MPI; MPICH and Slurm's PMI; Slurm with PMIx, which only provides the rank.
  for (const char* name :
       {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", std::getenv("PMIX_RANK") ? "SLURM_NTASKS" : "PMI_SIZE"}) {
    const char* const text = std::getenv(name);
    std::size_t ranks = 0;
    if (text && std::from_chars(text, text + std::strlen(text), ranks).ec == std::errc() && ranks > 0) return ranks;
  }
  return 0;
}

}  // namespace accrete::comm
