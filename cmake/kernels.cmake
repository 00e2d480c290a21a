# Compile options of the kernels, the library's files that end in _kernel.cpp. They are optimised in every build type
# except Debug. The kernels' contract allows contraction and does not use errno or floating-point traps.
set(accrete_kernels ${accrete_sources})
list(FILTER accrete_kernels INCLUDE REGEX "_kernel\\.cpp$")

set(accrete_vector_flags "")
# Auto-vectorised loops use the same vector width as the Highway kernels.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND accrete_vector_flags -mprefer-vector-width=512)
endif()
# Jump threading would duplicate the rest of a formula for both sides of a clamp, which is two instructions without it.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND accrete_vector_flags -fno-thread-jumps)
endif()
# Each kernel is compiled once per instruction set that makes a difference: SSE4, AVX2 and AVX-512; NEON, 256-bit SVE and
# 128-bit SVE2. The others of Highway give the same arithmetic, and processors with longer SVE vectors use NEON.
set(accrete_unused_targets "HWY_SSSE3|HWY_AVX3_DL|HWY_SVE|HWY_SVE2")
# GCC 12 crashes when it compiles SVE code with a sanitizer. NEON, which every AArch64 processor has, is tested instead.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64" AND
   "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_DEBUG}" MATCHES "-fsanitize" AND CMAKE_BUILD_TYPE STREQUAL "Debug")
  string(APPEND accrete_unused_targets "|HWY_SVE_256|HWY_SVE2_128")
endif()
list(APPEND accrete_vector_flags "-DHWY_DISABLED_TARGETS=(${accrete_unused_targets})")

set_source_files_properties(${accrete_kernels} PROPERTIES COMPILE_OPTIONS
  "$<$<NOT:$<CONFIG:Debug>>:-O3>;-ffp-contract=fast;-fno-math-errno;-fno-trapping-math;${accrete_vector_flags}")
