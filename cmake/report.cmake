# accrete_report: HTML pages and figures. Scripts, styles and D3 are embedded in the library, so that a page is one file.
# Without D3 it is not built, and the command reports that it is missing.
set(ACCRETE_REPORT AUTO CACHE STRING "HTML reports: AUTO (if D3 is found), ON or OFF")
set_property(CACHE ACCRETE_REPORT PROPERTY STRINGS AUTO ON OFF)
if(ACCRETE_REPORT)
  find_file(ACCRETE_D3 d3.min.js PATHS /usr/share/javascript/d3 /usr/share/nodejs/d3 PATH_SUFFIXES javascript/d3
            DOC "D3, version 3, minified (Debian: libjs-d3)")
  if(NOT ACCRETE_D3 AND NOT ACCRETE_REPORT STREQUAL "AUTO")
    message(FATAL_ERROR "ACCRETE_REPORT is ${ACCRETE_REPORT}, but d3.min.js (ACCRETE_D3) is not found")
  endif()
endif()

# accrete_embed(NAME FILE): embeds the text of the file as assets::NAME.
function(accrete_embed name file)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/report_assets/${name}.cpp)
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed_text.cmake)
  add_custom_command(OUTPUT ${output} DEPENDS ${file} ${script} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DNAME=${name} -DOUTPUT=${output} -P ${script})
  target_sources(accrete_report PRIVATE ${output})
endfunction()

if(ACCRETE_REPORT AND ACCRETE_D3)
  file(GLOB_RECURSE accrete_report_sources CONFIGURE_DEPENDS report/*.cpp)
  add_library(accrete_report STATIC EXCLUDE_FROM_ALL ${accrete_report_sources})
  target_include_directories(accrete_report PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(accrete_report PUBLIC accrete accrete_experiment nlohmann_json::nlohmann_json PRIVATE fmt::fmt)
  target_compile_options(accrete_report PRIVATE ${accrete_warnings})
  set_target_properties(accrete_report PROPERTIES CXX_EXTENSIONS OFF)
  accrete_embed(d3 ${ACCRETE_D3})
  accrete_embed(d3_licence ${CMAKE_CURRENT_SOURCE_DIR}/report/assets/d3_licence.txt)
  accrete_embed(style_css ${CMAKE_CURRENT_SOURCE_DIR}/report/assets/style.css)
  accrete_embed(charts_js ${CMAKE_CURRENT_SOURCE_DIR}/report/assets/charts.js)
  accrete_embed(ranks_js ${CMAKE_CURRENT_SOURCE_DIR}/report/assets/ranks.js)
  accrete_embed(field_js ${CMAKE_CURRENT_SOURCE_DIR}/report/assets/field.js)
  accrete_embed(model_js ${CMAKE_CURRENT_SOURCE_DIR}/report/assets/model.js)
  accrete_embed(demo_js ${CMAKE_CURRENT_SOURCE_DIR}/report/assets/demo.js)
elseif(PROJECT_IS_TOP_LEVEL AND ACCRETE_REPORT)
  message(STATUS "HTML reports are disabled; not found: D3 (d3.min.js)")
endif()
