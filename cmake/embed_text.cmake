# Writes OUTPUT, a C++ file that defines accrete::report::assets::NAME as the text of INPUT.
# usage: cmake -DINPUT=... -DNAME=... -DOUTPUT=... -P embed_text.cmake
file(READ "${INPUT}" text)
string(FIND "${text}" ")embedded\"" clash)
if(NOT clash EQUAL -1)
  message(FATAL_ERROR "${INPUT} contains )embedded\", the end of the raw string")
endif()
file(WRITE "${OUTPUT}" "#include \"report/assets/assets.hpp\"\n\n"
  "const std::string_view accrete::report::assets::${NAME} = R\"embedded(${text})embedded\";\n")
