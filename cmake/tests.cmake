# accrete_tests: the unit tests (ctest label unit). tests/cuda and tests/deep are programs of their own, with the labels
# cuda and deep; tests/packaging builds projects that use the library (labels packaging, and
# subproject for one that compiles it).
set(ACCRETE_TEST_SHARDS 0 CACHE STRING "Processes that share the unit tests; 0: one process per test")
enable_testing()
include(GoogleTest)
find_package(GTest)

# tests/c, tests/layout and tests/packaging need no GoogleTest.
find_package(Python3 COMPONENTS Interpreter QUIET)
if(Python3_Interpreter_FOUND)
  foreach(name layout release site words)
    add_test(NAME ${name} COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/tests/layout/test_${name}.py")
    set_tests_properties(${name} PROPERTIES LABELS unit)
  endforeach()
endif()
if(TARGET accrete_c)
  include(tests/c/tests.cmake)
endif()
if(ACCRETE_INSTALL)
  foreach(name installed subproject)
    add_test(NAME packaging.${name}
             COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/tests/packaging/${name}.sh" "${CMAKE_BINARY_DIR}")
  endforeach()
  set_tests_properties(packaging.installed PROPERTIES LABELS packaging TIMEOUT 1800 COST 1000)  # it starts first
  set_tests_properties(packaging.subproject PROPERTIES LABELS subproject TIMEOUT 1800)
endif()
if(NOT GTest_FOUND)
  message(STATUS "GoogleTest not found: the C++ tests are not built")
  return()
endif()

file(GLOB_RECURSE accrete_test_sources CONFIGURE_DEPENDS tests/*_test.cpp)
list(FILTER accrete_test_sources EXCLUDE REGEX "/tests/(cuda|deep)/")
if(NOT TARGET accrete_cli)
  list(FILTER accrete_test_sources EXCLUDE REGEX "/tests/cli/")
endif()
if(NOT TARGET accrete_onnx_schema)
  list(FILTER accrete_test_sources EXCLUDE REGEX "/tests/onnx/")
endif()
if(NOT TARGET SQLite3::SQLite3)
  list(FILTER accrete_test_sources EXCLUDE REGEX "/tests/(store/|experiment/|cli/(.*/)?(search|compare|experiment))")
endif()
if(NOT TARGET accrete_report)
  list(FILTER accrete_test_sources EXCLUDE REGEX "/tests/(report/|cli/.*/(report|demo)_test)")
endif()
if(NOT TARGET accrete_serve)
  list(FILTER accrete_test_sources EXCLUDE REGEX "/tests/(serve/|cli/.*/serve_test)")
endif()

list(APPEND accrete_test_sources ${accrete_fuzz_sources})
add_executable(accrete_tests ${accrete_test_sources})
# The code under test is fully optimised; -Og and batches of a sixth of the files keep the build of the tests short.
list(LENGTH accrete_test_sources accrete_test_batch)
math(EXPR accrete_test_batch "${accrete_test_batch} / 6 + 1")
set_target_properties(accrete_tests PROPERTIES CXX_EXTENSIONS OFF UNITY_BUILD ${ACCRETE_UNITY}
                      UNITY_BUILD_BATCH_SIZE ${accrete_test_batch})
target_compile_options(accrete_tests PRIVATE ${accrete_warnings} -Og)
target_include_directories(accrete_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(accrete_tests PRIVATE accrete accrete_onnx $<TARGET_NAME_IF_EXISTS:accrete_onnx_schema>
                                            accrete_experiment accrete_store accrete_cuda accrete_mpi
                                            $<TARGET_NAME_IF_EXISTS:SQLite3::SQLite3>
                                            $<TARGET_NAME_IF_EXISTS:accrete_report>
                                            $<TARGET_NAME_IF_EXISTS:accrete_serve>
                                            $<TARGET_NAME_IF_EXISTS:PNG::PNG>
                                            GTest::gtest_main fmt::fmt nlohmann_json::nlohmann_json ZLIB::ZLIB
                                            Threads::Threads)
target_precompile_headers(accrete_tests PRIVATE <gtest/gtest.h> <fmt/format.h> <nlohmann/json.hpp> <algorithm>
                          <filesystem> <fstream> <functional> <map> <random> <ranges> <string> <vector>)
target_compile_definitions(accrete_tests PRIVATE ACCRETE_SOURCE_DIR="${CMAKE_CURRENT_SOURCE_DIR}"
                                                 ${accrete_fuzz_definitions})
if(ACCRETE_MPI)  # these files only, so that the others need not be compiled again
  file(GLOB accrete_ranks_tests CONFIGURE_DEPENDS tests/cli/support/ranks*_test.cpp)
  set_source_files_properties(${accrete_ranks_tests} PROPERTIES
                              COMPILE_DEFINITIONS "ACCRETE_MPIRUN=\"${MPIEXEC_EXECUTABLE}\"")
endif()
if(TARGET accrete_cli)
  target_compile_definitions(accrete_tests PRIVATE ACCRETE_COMMAND="$<TARGET_FILE:accrete_cli>")
  # Not add_dependencies: every file of the tests would wait until the command is linked.
  set_target_properties(accrete_tests PROPERTIES LINK_DEPENDS $<TARGET_FILE:accrete_cli>)
endif()
if(ACCRETE_TEST_SHARDS)
  # With sanitizers, starting the program takes longer than most tests.
  math(EXPR accrete_last_shard "${ACCRETE_TEST_SHARDS} - 1")
  foreach(shard RANGE ${accrete_last_shard})
    add_test(NAME unit_${shard} COMMAND accrete_tests --gtest_brief=1)
    set_tests_properties(unit_${shard} PROPERTIES LABELS unit TIMEOUT 1800
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${ACCRETE_TEST_SHARDS};GTEST_SHARD_INDEX=${shard}")
  endforeach()
else()
  gtest_discover_tests(accrete_tests DISCOVERY_TIMEOUT 120 PROPERTIES LABELS unit TIMEOUT 900)
endif()

if(ACCRETE_CUDA)
  file(GLOB accrete_cuda_test_sources CONFIGURE_DEPENDS tests/cuda/*_test.cpp)
  add_executable(accrete_cuda_tests ${accrete_cuda_test_sources})
  target_compile_options(accrete_cuda_tests PRIVATE ${accrete_warnings} -O1)
  target_include_directories(accrete_cuda_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(accrete_cuda_tests PRIVATE accrete_cuda accrete GTest::gtest_main fmt::fmt Threads::Threads)
  add_test(NAME cuda COMMAND accrete_cuda_tests)
  set_tests_properties(cuda PROPERTIES LABELS cuda)
endif()

if(ACCRETE_DEEP)
  file(GLOB accrete_deep_test_sources CONFIGURE_DEPENDS tests/deep/*_test.cpp)
  add_executable(accrete_deep_tests EXCLUDE_FROM_ALL ${accrete_deep_test_sources})
  accrete_deep_target(accrete_deep_tests)
  target_link_libraries(accrete_deep_tests PRIVATE accrete_deep GTest::gtest_main PNG::PNG ZLIB::ZLIB Threads::Threads)
  # The precompiled headers of accrete_deep are compiled with -fPIC, so their other users need it too.
  set_target_properties(accrete_deep_tests PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(accrete_deep_tests PRIVATE -fPIC $<$<CONFIG:Release>:-O1>)
  target_precompile_headers(accrete_deep_tests REUSE_FROM accrete_deep)
  target_compile_definitions(accrete_deep_tests PRIVATE ACCRETE_COMMAND="$<TARGET_FILE:accrete_cli>")
  add_dependencies(accrete_deep_tests accrete_cli)
  # One process for all tests: loading libtorch takes longer than most of them.
  add_test(NAME deep COMMAND accrete_deep_tests --gtest_brief=1)
  set_tests_properties(deep PROPERTIES LABELS deep TIMEOUT 1800)
endif()
