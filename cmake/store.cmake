# accrete_store: finished fits in a SQLite file, a library of its own so that accrete itself does without SQLite. Where
# SQLite is not found it is the one file that says so.
set(ACCRETE_STORE AUTO CACHE STRING "Keep fits in SQLite files: AUTO (when SQLite is found), ON or OFF")
set_property(CACHE ACCRETE_STORE PROPERTY STRINGS AUTO ON OFF)

if(ACCRETE_STORE)
  find_package(SQLite3 QUIET)
endif()
# Built only where something links it.
if(ACCRETE_STORE AND SQLite3_FOUND)
  add_library(accrete_store STATIC EXCLUDE_FROM_ALL accrete/store/database.cpp accrete/store/store.cpp)
  target_link_libraries(accrete_store PRIVATE SQLite::SQLite3 fmt::fmt nlohmann_json::nlohmann_json)
elseif(ACCRETE_STORE STREQUAL "AUTO" OR NOT ACCRETE_STORE)
  if(PROJECT_IS_TOP_LEVEL AND ACCRETE_STORE)
    message(STATUS "Fits cannot be kept in files: SQLite is not found")
  endif()
  add_library(accrete_store STATIC EXCLUDE_FROM_ALL accrete/store/no_store.cpp)
else()
  message(FATAL_ERROR "ACCRETE_STORE is ${ACCRETE_STORE}, and SQLite is not found")
endif()
add_library(accrete::store ALIAS accrete_store)
target_link_libraries(accrete_store PUBLIC accrete)
target_compile_options(accrete_store PRIVATE ${accrete_warnings})
set_target_properties(accrete_store PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
