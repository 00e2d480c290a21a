# accrete_deep: boosted heads on frozen deep networks. A separate library, because it needs libtorch: Debian's
# libtorch-dev, or an installed PyTorch with -DACCRETE_TORCH="$(python3 -c 'import torch; print(torch.__path__[0])')".
# Only these files are compiled with libtorch's flags; the library and the other commands do not depend on the option.
option(ACCRETE_DEEP "Build deep models (needs libtorch)" OFF)
set(ACCRETE_TORCH "" CACHE PATH "Folder of an installed PyTorch (site-packages/torch); empty: the system's libtorch")

# accrete_torch: libtorch. An installed PyTorch is linked without its CMake package, which requires nvcc and prefers the
# system's libtorch.
function(accrete_add_torch folder)
  add_library(accrete_torch INTERFACE)
  if(NOT folder)
    find_package(Torch REQUIRED)
    target_link_libraries(accrete_torch INTERFACE ${TORCH_LIBRARIES})
    target_include_directories(accrete_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
    return()
  endif()
  foreach(needed include/torch/csrc/api/include/torch/torch.h lib/libtorch.so lib/libtorch_cpu.so lib/libc10.so)
    if(NOT EXISTS "${folder}/${needed}")
      message(FATAL_ERROR "ACCRETE_TORCH is ${folder}, which does not contain ${needed}")
    endif()
  endforeach()
  target_include_directories(accrete_torch SYSTEM INTERFACE "${folder}/include" "${folder}/include/torch/csrc/api/include")
  # --no-as-needed keeps the CUDA libraries although no symbol refers to them; they find their own dependencies.
  # libstdc++ precedes them, because PyTorch's libraries export incomplete copies of parts of it.
  set(libraries -lstdc++ "${folder}/lib/libtorch.so" "${folder}/lib/libtorch_cpu.so" "${folder}/lib/libc10.so")
  foreach(gpu torch_cuda c10_cuda)
    if(EXISTS "${folder}/lib/lib${gpu}.so")
      list(APPEND libraries "${folder}/lib/lib${gpu}.so")
    endif()
  endforeach()
  list(JOIN libraries "," libraries)
  target_link_libraries(accrete_torch INTERFACE "-Wl,--push-state,--no-as-needed,${libraries},--pop-state"
                                                "-Wl,--allow-shlib-undefined" "-Wl,-rpath,${folder}/lib")
  # PyTorch's include folder contains another version of fmt, without its library.
  target_compile_definitions(accrete_torch INTERFACE FMT_HEADER_ONLY)
  file(STRINGS "${folder}/share/cmake/Torch/TorchConfig.cmake" old_abi REGEX "_GLIBCXX_USE_CXX11_ABI=0")
  if(old_abi)
    target_compile_definitions(accrete_torch INTERFACE _GLIBCXX_USE_CXX11_ABI=0)
  endif()
endfunction()

# accrete_deep_target(TARGET): settings of all targets that include libtorch.
function(accrete_deep_target target)
  target_compile_options(${target} PRIVATE ${accrete_warnings})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE accrete accrete_torch fmt::fmt nlohmann_json::nlohmann_json)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
endfunction()

if(ACCRETE_DEEP)
  find_package(PNG REQUIRED)
  accrete_add_torch("${ACCRETE_TORCH}")
  file(GLOB_RECURSE accrete_deep_sources CONFIGURE_DEPENDS accrete/deep/*.cpp)
  # Files that do not use libtorch compile faster without its precompiled headers.
  set(accrete_deep_plain_sources ${accrete_deep_sources})
  list(FILTER accrete_deep_plain_sources INCLUDE REGEX "/(cifar|idx|images|png_folder|signature_json)\\.cpp$")
  set_source_files_properties(${accrete_deep_plain_sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  add_library(accrete_deep STATIC EXCLUDE_FROM_ALL ${accrete_deep_sources})
  add_library(accrete::deep ALIAS accrete_deep)
  accrete_deep_target(accrete_deep)
  target_link_libraries(accrete_deep PRIVATE PNG::PNG ZLIB::ZLIB)
  target_precompile_headers(accrete_deep PRIVATE <torch/torch.h> <torch/script.h>)
endif()
