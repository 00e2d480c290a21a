# accrete_experiment: the paper's experiments. A separate library, because it writes to a store. Pages report on them, so
# there are no pages without it.
option(ACCRETE_EXPERIMENT "The paper's experiments" ON)
if(NOT ACCRETE_EXPERIMENT)
  set(ACCRETE_REPORT OFF CACHE STRING "" FORCE)
  return()
endif()
file(GLOB accrete_experiment_sources CONFIGURE_DEPENDS accrete/experiment/*.cpp)
add_library(accrete_experiment STATIC EXCLUDE_FROM_ALL ${accrete_experiment_sources})
target_link_libraries(accrete_experiment PUBLIC accrete accrete_store PRIVATE fmt::fmt nlohmann_json::nlohmann_json)
target_compile_options(accrete_experiment PRIVATE ${accrete_warnings} ${accrete_short_build})
set_target_properties(accrete_experiment PROPERTIES CXX_EXTENSIONS OFF UNITY_BUILD ${ACCRETE_UNITY})
