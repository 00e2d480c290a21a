# accrete_onnx: the ONNX writer. Which file is compiled follows from what is there.
add_library(accrete_onnx STATIC accrete/onnx/no_onnx.cpp)
add_library(accrete::onnx ALIAS accrete_onnx)
target_link_libraries(accrete_onnx PUBLIC accrete)
target_compile_options(accrete_onnx PRIVATE ${accrete_warnings})
set_target_properties(accrete_onnx PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
