# ACCRETE_SOURCE: a checkout to build instead of the release, for a test of the port.
if(DEFINED ENV{ACCRETE_SOURCE})
  set(SOURCE_PATH "$ENV{ACCRETE_SOURCE}")
else()
  vcpkg_from_github(
    OUT_SOURCE_PATH SOURCE_PATH
    REPO OWNER/accrete
    REF "v${VERSION}"
    SHA512 0 # of the release archive
  )
endif()

vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES tools ACCRETE_BUILD_CLI)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${options} -DACCRETE_BUILD_TESTS=OFF -DACCRETE_BUILD_C_API=OFF -DACCRETE_ONNX=OFF -DACCRETE_REPORT=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/accrete)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES accrete AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
