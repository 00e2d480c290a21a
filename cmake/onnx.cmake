# accrete_onnx: the ONNX export. A separate library, because it needs protobuf. It is compiled from ONNX's own schema if
# protoc, onnx.proto and protobuf are found; else it is no_onnx.cpp, which reports that ONNX is missing.
# The target accrete_onnx_header generates onnx.pb.h, for tools that parse the sources without compiling them.
set(ACCRETE_ONNX AUTO CACHE STRING "ONNX export: AUTO (if the ONNX schema and protobuf are found), ON or OFF")
set_property(CACHE ACCRETE_ONNX PROPERTY STRINGS AUTO ON OFF)

set(accrete_onnx_missing "")
if(ACCRETE_ONNX)
  find_file(ACCRETE_ONNX_PROTO onnx/onnx.proto DOC "ONNX's schema, onnx.proto")
  # Newer releases depend on libraries that only protobuf's own CMake package lists; older ones lack that package.
  find_package(protobuf CONFIG QUIET)
  if(NOT TARGET protobuf::libprotobuf-lite)
    find_package(Protobuf QUIET)
  endif()
  find_program(Protobuf_PROTOC_EXECUTABLE protoc DOC "protobuf's compiler")
  if(NOT ACCRETE_ONNX_PROTO)
    list(APPEND accrete_onnx_missing "onnx/onnx.proto (ACCRETE_ONNX_PROTO)")
  endif()
  if(NOT Protobuf_PROTOC_EXECUTABLE)
    list(APPEND accrete_onnx_missing "protoc (Protobuf_PROTOC_EXECUTABLE)")
  endif()
  if(NOT TARGET protobuf::libprotobuf-lite)
    list(APPEND accrete_onnx_missing "libprotobuf-lite")
  endif()
  list(JOIN accrete_onnx_missing ", " accrete_onnx_missing)
endif()

# EXCLUDE_FROM_ALL: built only if a target links it, so a parent project that does not use it does not compile it.
if(ACCRETE_ONNX AND NOT accrete_onnx_missing)
  get_filename_component(accrete_onnx_proto_dir ${ACCRETE_ONNX_PROTO} DIRECTORY)
  set(accrete_onnx_schema_dir ${CMAKE_CURRENT_BINARY_DIR}/onnx_schema)
  file(MAKE_DIRECTORY ${accrete_onnx_schema_dir})
  add_custom_command(
    OUTPUT ${accrete_onnx_schema_dir}/onnx.pb.cc ${accrete_onnx_schema_dir}/onnx.pb.h
    COMMAND ${Protobuf_PROTOC_EXECUTABLE} --cpp_out=lite:${accrete_onnx_schema_dir} -I ${accrete_onnx_proto_dir}
            ${ACCRETE_ONNX_PROTO}
    DEPENDS ${ACCRETE_ONNX_PROTO} VERBATIM)
  add_custom_target(accrete_onnx_header DEPENDS ${accrete_onnx_schema_dir}/onnx.pb.h)
  # The lite runtime and hidden symbols avoid conflicts with another copy of the ONNX schema in the same process.
  add_library(accrete_onnx_schema STATIC EXCLUDE_FROM_ALL ${accrete_onnx_schema_dir}/onnx.pb.cc)
  add_dependencies(accrete_onnx_schema accrete_onnx_header)
  target_include_directories(accrete_onnx_schema SYSTEM PUBLIC ${accrete_onnx_schema_dir})
  target_link_libraries(accrete_onnx_schema PUBLIC protobuf::libprotobuf-lite)
  target_compile_features(accrete_onnx_schema PUBLIC cxx_std_20)
  target_compile_options(accrete_onnx_schema PRIVATE -w ${accrete_short_build})
  set_target_properties(accrete_onnx_schema PROPERTIES CXX_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)

  file(GLOB accrete_onnx_sources CONFIGURE_DEPENDS accrete/onnx/*.cpp)
  list(FILTER accrete_onnx_sources EXCLUDE REGEX "/no_onnx\\.cpp$")
  add_library(accrete_onnx STATIC EXCLUDE_FROM_ALL ${accrete_onnx_sources})
  target_link_libraries(accrete_onnx PRIVATE accrete_onnx_schema fmt::fmt nlohmann_json::nlohmann_json)
elseif(ACCRETE_ONNX STREQUAL "AUTO" OR NOT ACCRETE_ONNX)
  if(PROJECT_IS_TOP_LEVEL AND ACCRETE_ONNX)
    message(STATUS "ONNX export is disabled; not found: ${accrete_onnx_missing}")
  endif()
  add_custom_target(accrete_onnx_header)
  add_library(accrete_onnx STATIC EXCLUDE_FROM_ALL accrete/onnx/no_onnx.cpp)
else()
  message(FATAL_ERROR "ACCRETE_ONNX is ${ACCRETE_ONNX}, but not found: ${accrete_onnx_missing}")
endif()
add_library(accrete::onnx ALIAS accrete_onnx)
target_link_libraries(accrete_onnx PUBLIC accrete)
target_compile_options(accrete_onnx PRIVATE ${accrete_warnings} ${accrete_short_build})
set_target_properties(accrete_onnx PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON UNITY_BUILD ${ACCRETE_UNITY})
