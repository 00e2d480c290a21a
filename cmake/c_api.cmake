# accrete_c (alias accrete::c): the C ABI, libaccrete.so. Its only header is accrete/c/accrete.h.
option(ACCRETE_BUILD_C_API "Build the C ABI, libaccrete.so" ${PROJECT_IS_TOP_LEVEL})

# libaccrete.so is the C ABI, so a shared build of the C++ library has another name, even if the C ABI is not built.
get_target_property(accrete_type accrete TYPE)
if(accrete_type STREQUAL "SHARED_LIBRARY")
  set_target_properties(accrete PROPERTIES OUTPUT_NAME accrete++)
endif()
if(NOT ACCRETE_BUILD_C_API)
  return()
endif()

file(STRINGS accrete/c/accrete.h accrete_abi REGEX "^#define ACCRETE_ABI_VERSION ")
string(REGEX REPLACE "[^0-9]" "" accrete_abi "${accrete_abi}")

file(GLOB accrete_c_sources CONFIGURE_DEPENDS accrete/c/*.cpp)
add_library(accrete_c SHARED ${accrete_c_sources})
add_library(accrete::c ALIAS accrete_c)
target_include_directories(accrete_c PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/accrete/c>
                                            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(accrete_c PRIVATE accrete fmt::fmt nlohmann_json::nlohmann_json)
target_compile_options(accrete_c PRIVATE ${accrete_warnings})
set_target_properties(accrete_c PROPERTIES OUTPUT_NAME accrete EXPORT_NAME c CXX_EXTENSIONS OFF
                      UNITY_BUILD ${ACCRETE_UNITY}
                      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON INSTALL_RPATH "$ORIGIN"
                      VERSION ${accrete_abi}.${PROJECT_VERSION} SOVERSION ${accrete_abi}
                      PUBLIC_HEADER "${CMAKE_CURRENT_SOURCE_DIR}/accrete/c/accrete.h")
# The static C++ library inside is compiled with default visibility, so a version script hides its symbols.
if(UNIX AND NOT APPLE)
  set(accrete_exports "${CMAKE_CURRENT_BINARY_DIR}/accrete_c.map")
  file(CONFIGURE OUTPUT "${accrete_exports}" CONTENT "ACCRETE_@accrete_abi@ { global: accrete_*; local: *; };\n" @ONLY)
  target_link_options(accrete_c PRIVATE "LINKER:--version-script=${accrete_exports}" LINKER:--exclude-libs,ALL
                                        LINKER:--gc-sections LINKER:--as-needed)
  set_target_properties(accrete_c PROPERTIES LINK_DEPENDS "${accrete_exports}")
endif()

if(ACCRETE_INSTALL)
  install(TARGETS accrete_c EXPORT accreteTargets PUBLIC_HEADER DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  # accrete.pc finds the prefix relative to itself, so that the installed tree can be moved.
  file(RELATIVE_PATH accrete_prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" accrete_prefix_from_pc "${accrete_prefix_from_pc}")
  configure_file(cmake/accrete.pc.in accrete.pc @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/accrete.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
