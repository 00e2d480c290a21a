# accrete_cuda: the CUDA backend. Without ACCRETE_CUDA it is no_cuda.cpp, which reports that CUDA is missing.
option(ACCRETE_CUDA "Build the CUDA backend (needs nvcc)" OFF)

if(ACCRETE_CUDA)
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  file(GLOB accrete_cuda_sources CONFIGURE_DEPENDS accrete/backend/cuda/*.cpp accrete/backend/cuda/*.cu)
  list(FILTER accrete_cuda_sources EXCLUDE REGEX "/no_cuda\\.cpp$")
  # Instances of accrete/backend/cuda/kernels.hpp: kind, losses and most outputs (0: any).
  foreach(instance
          Warp_Separable_1 Warp_Separable_4 Warp_Softmax_4
          Block_Separable_1 Block_Separable_4 Block_Softmax_4 Block_Softmax_12 Block_Any_0
          Grid_Separable_1 Grid_Separable_4 Grid_Softmax_4 Grid_Softmax_8 Grid_Softmax_12)
    string(REGEX MATCH "(.*)_(.*)_(.*)" match ${instance})
    set(kind ${CMAKE_MATCH_1}Kernel)
    set(losses ${CMAKE_MATCH_2}Loss)
    set(outputs ${CMAKE_MATCH_3})
    set(source ${CMAKE_CURRENT_BINARY_DIR}/cuda_kernels/${instance}.cu)
    configure_file(accrete/backend/cuda/instance.cu.in ${source} @ONLY)
    list(APPEND accrete_cuda_sources ${source})
  endforeach()
  add_library(accrete_cuda STATIC EXCLUDE_FROM_ALL ${accrete_cuda_sources})
  # C++20 as a flag: CMake before 3.26 does not know it for CUDA. --prec-div=false: divisions are exact to 2 ulp, as in
  # the CPU kernels.
  target_compile_options(accrete_cuda PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 --expt-relaxed-constexpr -O3
                                              --prec-div=false>)
  target_link_libraries(accrete_cuda PRIVATE CUDA::cudart_static fmt::fmt)
else()
  add_library(accrete_cuda STATIC EXCLUDE_FROM_ALL accrete/backend/cuda/no_cuda.cpp accrete/backend/cuda/open_named.cpp)
  target_link_libraries(accrete_cuda PRIVATE fmt::fmt)
endif()
add_library(accrete::cuda ALIAS accrete_cuda)
target_link_libraries(accrete_cuda PUBLIC accrete)
target_compile_options(accrete_cuda PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${accrete_warnings}>)
set_target_properties(accrete_cuda PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
