# accrete_cli: the accrete command.
find_package(CLI11 REQUIRED)
file(GLOB_RECURSE accrete_cli_sources CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" cli/*.cpp)

# Deep commands need libtorch's flags and are a library of their own; cli/deep/no_deep.cpp replaces them in a build without
# libtorch, no_experiment.cpp those of cli/experiment, no_serve.cpp the server. Every other no_X.cpp replaces X.cpp in the
# same folder in a build without accrete_report.
set(accrete_cli_deep_sources ${accrete_cli_sources})
list(FILTER accrete_cli_deep_sources INCLUDE REGEX "^cli/deep/")
list(REMOVE_ITEM accrete_cli_sources ${accrete_cli_deep_sources})
list(REMOVE_ITEM accrete_cli_deep_sources cli/deep/no_deep.cpp)
foreach(source IN LISTS accrete_cli_sources)
  if(source MATCHES "/no_[a-z_]+\\.cpp$" AND NOT source MATCHES "no_experiment")
    set(component accrete_report)
    if(source MATCHES "no_serve")
      set(component accrete_serve)
    endif()
    if(NOT TARGET ${component})
      string(REPLACE "/no_" "/" source "${source}")
    endif()
    list(REMOVE_ITEM accrete_cli_sources "${source}")
  endif()
endforeach()
if(ACCRETE_EXPERIMENT)
  list(REMOVE_ITEM accrete_cli_sources cli/experiment/no_experiment.cpp)
else()
  list(FILTER accrete_cli_sources EXCLUDE REGEX "^cli/experiment/")
  list(APPEND accrete_cli_sources cli/experiment/no_experiment.cpp)
endif()
if(NOT ACCRETE_DEEP)
  list(APPEND accrete_cli_sources cli/deep/no_deep.cpp)
endif()

add_executable(accrete_cli ${accrete_cli_sources})
set_target_properties(accrete_cli PROPERTIES OUTPUT_NAME accrete CXX_EXTENSIONS OFF UNITY_BUILD ${ACCRETE_UNITY}
                      INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};$ORIGIN/../lib")
# The command spends its time in the library; -O1 keeps its build short.
target_compile_options(accrete_cli PRIVATE ${accrete_warnings} ${accrete_short_build})
target_include_directories(accrete_cli PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(accrete_cli PRIVATE accrete accrete_onnx $<TARGET_NAME_IF_EXISTS:accrete_experiment>
                                          accrete_store accrete_cuda accrete_mpi
                                          CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json ZLIB::ZLIB
                                          $<TARGET_NAME_IF_EXISTS:accrete_report>
                                          $<TARGET_NAME_IF_EXISTS:accrete_serve>)
accrete_embed_text(accrete_cli accrete::cli::peer_script cli/peers/script.hpp ${CMAKE_CURRENT_SOURCE_DIR}/cli/peers/fit.py)
target_precompile_headers(accrete_cli PRIVATE <CLI/CLI.hpp> <fmt/format.h> <nlohmann/json.hpp>)

if(ACCRETE_DEEP)
  add_library(accrete_cli_deep STATIC EXCLUDE_FROM_ALL ${accrete_cli_deep_sources})
  accrete_deep_target(accrete_cli_deep)
  target_link_libraries(accrete_cli_deep PRIVATE accrete_deep CLI11::CLI11)
  target_compile_options(accrete_cli_deep PRIVATE $<$<CONFIG:Release>:-O1>)
  target_precompile_headers(accrete_cli_deep REUSE_FROM accrete_deep)
  target_link_libraries(accrete_cli PRIVATE accrete_cli_deep)
endif()
