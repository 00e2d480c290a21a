# Tests of the C ABI: C programs that include only accrete.h. c.models writes the models they load.
enable_language(C)

add_executable(accrete_c_models tests/c/make_models.cpp)
set_target_properties(accrete_c_models PROPERTIES CXX_EXTENSIONS OFF)
target_compile_options(accrete_c_models PRIVATE ${accrete_warnings} -O1)
target_link_libraries(accrete_c_models PRIVATE accrete fmt::fmt)
set(accrete_c_models_dir "${CMAKE_CURRENT_BINARY_DIR}/c_models")
file(MAKE_DIRECTORY "${accrete_c_models_dir}")
add_test(NAME c.models COMMAND accrete_c_models "${accrete_c_models_dir}")
set_tests_properties(c.models PROPERTIES LABELS unit FIXTURES_SETUP accrete_c_models)

# The allocation test replaces malloc, which conflicts with the allocator of the sanitizers.
set(accrete_c_tests api threads damage)
string(TOUPPER "CMAKE_CXX_FLAGS_${CMAKE_BUILD_TYPE}" accrete_build_flags)
if(NOT "${CMAKE_CXX_FLAGS} ${${accrete_build_flags}}" MATCHES "-fsanitize")
  list(APPEND accrete_c_tests allocation)
endif()
foreach(name IN LISTS accrete_c_tests)
  add_executable(accrete_c_${name} tests/c/${name}.c)
  # Linked by the C++ compiler, whose flags contain the sanitizers.
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

# Python cannot load a library built with sanitizers, so this test runs only where allocation does.
if(Python3_Interpreter_FOUND AND TARGET accrete_c_allocation AND ACCRETE_BUILD_CLI)
  add_test(NAME c.python COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/tests/python/test_c_abi.py")
  set_tests_properties(c.python PROPERTIES LABELS unit TIMEOUT 300 ENVIRONMENT
    "ACCRETE_C_LIBRARY=$<TARGET_FILE:accrete_c>;ACCRETE_COMMAND=$<TARGET_FILE:accrete_cli>")
endif()
