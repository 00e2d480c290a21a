// Compiles and runs examples/microcontroller, and checks that its header is up to date.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "accrete/io/c_source.hpp"
#include "accrete/io/model_file.hpp"
#include "tests/io/c_program.hpp"

namespace accrete::io::c_example_test {
namespace {

const std::string folder = ACCRETE_SOURCE_DIR "/examples/microcontroller/";

TEST(CExample, HasTheHeaderThatExportWrites) {
  std::ifstream in(folder + "waves.h", std::ios::binary);
  const std::string header{std::istreambuf_iterator<char>(in), {}};
  EXPECT_TRUE(header == c_source(load_model(folder + "waves.safetensors"), {.name = "waves"}))
      << "stale: run accrete export waves.safetensors --c waves.h";
}

TEST(CExample, ClassifiesTheWaves) {
  const CProgram c;
  for (const std::string& compiler : c_compilers()) {
    c.compile(compiler, "-Os '" + folder + "main.c' '" + folder + "classify.c' -o program -lm");
    EXPECT_TRUE(c.run("./program")) << compiler;
    EXPECT_NE(c.read("log").find("6 of 6 right"), std::string::npos) << compiler;
  }
}

}  // namespace
}  // namespace accrete::io::c_example_test
