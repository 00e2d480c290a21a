# Programs in C that know accrete.h and nothing else of accrete, on models that a small C++ program writes for them.
enable_testing()
enable_language(C)

add_executable(accrete_c_models tests/c/make_models.cpp)
set_target_properties(accrete_c_models PROPERTIES CXX_EXTENSIONS OFF)
target_compile_options(accrete_c_models PRIVATE ${accrete_warnings} -O1)
target_link_libraries(accrete_c_models PRIVATE accrete fmt::fmt)
set(accrete_c_models_dir "${CMAKE_CURRENT_BINARY_DIR}/c_models")
file(MAKE_DIRECTORY "${accrete_c_models_dir}")
add_test(NAME c.models COMMAND accrete_c_models "${accrete_c_models_dir}")
set_tests_properties(c.models PROPERTIES LABELS unit FIXTURES_SETUP accrete_c_models)

# Sanitizers bring an allocator of their own, which a test that counts allocations would displace.
set(accrete_c_tests api threads damage)
string(TOUPPER "CMAKE_CXX_FLAGS_${CMAKE_BUILD_TYPE}" accrete_build_flags)
if(NOT "${CMAKE_CXX_FLAGS} ${${accrete_build_flags}}" MATCHES "-fsanitize")
  list(APPEND accrete_c_tests allocation)
endif()
foreach(name IN LISTS accrete_c_tests)
  add_executable(accrete_c_${name} tests/c/${name}.c)
  # The C++ compiler links, since only it knows of the sanitizers of a build.
  set_target_properties(accrete_c_${name} PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
                                                     LINKER_LANGUAGE CXX)
  target_compile_options(accrete_c_${name} PRIVATE -Wall -Wextra -Wpedantic -Werror)
  target_link_libraries(accrete_c_${name} PRIVATE accrete_c Threads::Threads)
  add_test(NAME c.${name} COMMAND accrete_c_${name} "${accrete_c_models_dir}")
  set_tests_properties(c.${name} PROPERTIES LABELS unit TIMEOUT 300 FIXTURES_REQUIRED accrete_c_models)
endforeach()

if(UNIX AND NOT APPLE)
  add_test(NAME c.symbols COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/tests/c/symbols.sh" $<TARGET_FILE:accrete_c>
                                  "${CMAKE_CURRENT_SOURCE_DIR}/accrete/c/accrete.h")
  set_tests_properties(c.symbols PROPERTIES LABELS unit)
endif()

# Python cannot open a library that was built with sanitizers.
find_package(Python3 COMPONENTS Interpreter QUIET)
if(Python3_Interpreter_FOUND AND TARGET accrete_c_allocation AND ACCRETE_BUILD_CLI)
  add_test(NAME c.python COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/tests/python/test_c_abi.py")
  set_tests_properties(c.python PROPERTIES LABELS unit TIMEOUT 300 ENVIRONMENT
    "ACCRETE_C_LIBRARY=$<TARGET_FILE:accrete_c>;ACCRETE_COMMAND=$<TARGET_FILE:accrete_cli>")
endif()
