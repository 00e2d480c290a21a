# accrete_embed_text(TARGET NAME HEADER FILE): compiles the text of the file into the target as the std::string_view NAME,
# which HEADER declares.
function(accrete_embed_text target name header file)
  string(REGEX REPLACE "[^A-Za-z0-9]+" "_" base "${name}")
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded/${base}.cpp)
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed_text.cmake)
  add_custom_command(OUTPUT ${output} DEPENDS ${file} ${script} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DNAME=${name} -DHEADER=${header} -DOUTPUT=${output} -P ${script})
  target_sources(${target} PRIVATE ${output})
endfunction()
