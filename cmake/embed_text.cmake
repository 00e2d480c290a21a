# Writes OUTPUT, a C++ file that defines the std::string_view NAME, declared in HEADER, as the text of INPUT.
# usage: cmake -DINPUT=... -DNAME=... -DHEADER=... -DOUTPUT=... -P embed_text.cmake
file(READ "${INPUT}" text)
string(FIND "${text}" ")embedded\"" clash)
if(NOT clash EQUAL -1)
  message(FATAL_ERROR "${INPUT} contains )embedded\", the end of the raw string")
endif()
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"\n\n"
  "const std::string_view ${NAME} = R\"embedded(${text})embedded\";\n")
