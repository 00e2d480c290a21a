# accrete_deep: grown heads on frozen networks, a library of its own since it brings libtorch. Debian's libtorch-dev is found
# by itself, an installed PyTorch by -DCMAKE_PREFIX_PATH="$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)')".
option(ACCRETE_DEEP "Build the deep models' part, with libtorch" OFF)

if(ACCRETE_DEEP)
  find_package(Torch REQUIRED)
  find_package(PNG REQUIRED)
  file(GLOB accrete_deep_sources CONFIGURE_DEPENDS accrete/deep/*.cpp)
  add_library(accrete_deep STATIC EXCLUDE_FROM_ALL ${accrete_deep_sources})
  add_library(accrete::deep ALIAS accrete_deep)
  separate_arguments(accrete_torch_flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
  target_compile_options(accrete_deep PUBLIC ${accrete_torch_flags} PRIVATE ${accrete_warnings})
  # Other people's headers: their warnings are theirs.
  target_include_directories(accrete_deep SYSTEM PUBLIC ${TORCH_INCLUDE_DIRS})
  target_link_libraries(accrete_deep PUBLIC accrete ${TORCH_LIBRARIES} nlohmann_json::nlohmann_json
                                     PRIVATE PNG::PNG ZLIB::ZLIB fmt::fmt)
  target_precompile_headers(accrete_deep PRIVATE <torch/torch.h> <torch/script.h>)
  set_target_properties(accrete_deep PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
endif()
