# accrete_mpi: fits across the ranks of an MPI launcher. A separate library, because it needs MPI; without MPI it is
# no_mpi.cpp, which refuses to run under a launcher.
option(ACCRETE_MPI "Fits across MPI ranks (Debian: libopenmpi-dev or libmpich-dev)" OFF)

if(ACCRETE_MPI)
  find_package(MPI REQUIRED COMPONENTS CXX)
  add_library(accrete_mpi STATIC EXCLUDE_FROM_ALL accrete/comm/mpi/launcher.cpp accrete/comm/mpi/mpi.cpp)
  target_link_libraries(accrete_mpi PRIVATE MPI::MPI_CXX)
  # The C interface is used; the C++ headers of Open MPI do not compile without warnings.
  target_compile_definitions(accrete_mpi PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
else()
  add_library(accrete_mpi STATIC EXCLUDE_FROM_ALL accrete/comm/mpi/launcher.cpp accrete/comm/mpi/no_mpi.cpp)
endif()
add_library(accrete::mpi ALIAS accrete_mpi)
target_link_libraries(accrete_mpi PUBLIC accrete)
target_compile_options(accrete_mpi PRIVATE ${accrete_warnings})
set_target_properties(accrete_mpi PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
