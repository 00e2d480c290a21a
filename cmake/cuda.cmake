# accrete_cuda: fits on an NVIDIA GPU, a library of its own beside the command. Without ACCRETE_CUDA it is the
# file that says so.
option(ACCRETE_CUDA "Build the GPU's part, with CUDA's compiler" OFF)

if(ACCRETE_CUDA)
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  file(GLOB accrete_cuda_sources CONFIGURE_DEPENDS accrete/backend/cuda/instances/*.cu
       accrete/backend/cuda/*.cpp)
  list(FILTER accrete_cuda_sources EXCLUDE REGEX "/no_cuda\\.cpp$")
  add_library(accrete_cuda STATIC EXCLUDE_FROM_ALL ${accrete_cuda_sources})
  # As a flag, since CMake before 3.26 knows no name for C++20 in CUDA.
  # Quotients of floats to a unit in the last place or two, as the CPU's kernels have them.
  target_compile_options(accrete_cuda PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 --expt-relaxed-constexpr -O3
                                              --prec-div=false>)
  target_link_libraries(accrete_cuda PRIVATE CUDA::cudart_static fmt::fmt)
else()
  add_library(accrete_cuda STATIC EXCLUDE_FROM_ALL accrete/backend/cuda/no_cuda.cpp accrete/backend/cuda/choose.cpp)
  target_link_libraries(accrete_cuda PRIVATE fmt::fmt)
endif()
add_library(accrete::cuda ALIAS accrete_cuda)
target_link_libraries(accrete_cuda PUBLIC accrete)
target_compile_options(accrete_cuda PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${accrete_warnings}>)
set_target_properties(accrete_cuda PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
