# The fuzz targets, which the unit tests run on committed cases. They call the C functions, whose library exports nothing
# else, so its sources are compiled in.
file(GLOB accrete_fuzz_sources CONFIGURE_DEPENDS tests/fuzz/*.cpp accrete/c/*.cpp)
list(FILTER accrete_fuzz_sources EXCLUDE REGEX "_test\\.cpp$|/fuzz_main\\.cpp$")
if(NOT TARGET accrete_serve)
  list(FILTER accrete_fuzz_sources EXCLUDE REGEX "/request\\.cpp$")
endif()

# fuzz_NAME for each target of tests/fuzz/targets.cpp: libFuzzer with address and undefined-behaviour sanitizers.
option(ACCRETE_FUZZ "Build the fuzz targets (needs Clang)" OFF)
if(NOT ACCRETE_FUZZ)
  return()
endif()

add_library(accrete_fuzz_targets STATIC ${accrete_fuzz_sources})
target_include_directories(accrete_fuzz_targets PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(accrete_fuzz_targets PUBLIC accrete fmt::fmt nlohmann_json::nlohmann_json ZLIB::ZLIB)
set(accrete_fuzz_names csv svmlight columns grid config model c_api backend)
if(TARGET accrete_serve)
  list(APPEND accrete_fuzz_names request)
  target_link_libraries(accrete_fuzz_targets PUBLIC accrete_serve)
  target_compile_definitions(accrete_fuzz_targets PRIVATE ACCRETE_HAS_SERVE)
endif()
foreach(name IN LISTS accrete_fuzz_names)
  add_executable(fuzz_${name} tests/fuzz/fuzz_main.cpp)
  target_compile_definitions(fuzz_${name} PRIVATE ACCRETE_FUZZ_TARGET="${name}")
  target_link_libraries(fuzz_${name} PRIVATE accrete_fuzz_targets)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
endforeach()
