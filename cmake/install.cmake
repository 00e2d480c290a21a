# Installs the library, its public headers, the command and the CMake package accrete.
include(CMakePackageConfigHelpers)
set(accrete_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/accrete)
install(TARGETS accrete EXPORT accreteTargets)
if(TARGET accrete_cli)
  install(TARGETS accrete_cli)
endif()
include(cmake/public_headers.cmake)
foreach(header IN LISTS accrete_entry_headers accrete_included_headers)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()
install(EXPORT accreteTargets NAMESPACE accrete:: DESTINATION ${accrete_package_dir})
configure_package_config_file(cmake/accreteConfig.cmake.in accreteConfig.cmake
                              INSTALL_DESTINATION ${accrete_package_dir})
write_basic_package_version_file(accreteConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/accreteConfig.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/accreteConfigVersion.cmake"
              cmake/Findhwy.cmake DESTINATION ${accrete_package_dir})
