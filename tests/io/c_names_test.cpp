// Identifiers and literals of the C export, for hostile names.

#include "accrete/io/c_source/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "accrete/core/error.hpp"
#include "accrete/io/c_source.hpp"
#include "accrete/io/c_source/text.hpp"
#include "tests/io/c_program.hpp"
#include "tests/io/sample_model.hpp"

namespace accrete::io::c_names_test {
namespace {

TEST(CNames, MakesAnIdentifierFromAPath) {
  EXPECT_EQ(c_name("build/my-model.h"), "my_model");
  EXPECT_EQ(c_name("Wine.h"), "Wine");
  EXPECT_EQ(c_name("/a.b/c.d.h"), "c_d");
  EXPECT_EQ(c_name("3d.h"), "model_3d");
  EXPECT_EQ(c_name("int.h"), "model_int");
  EXPECT_EQ(c_name("größe.h"), "gr_e");
  for (const char* path : {"", "-", "..", "/", "x/_.h", "模型.h"}) EXPECT_EQ(c_name(path), "model") << path;
}

TEST(CNames, RejectsInvalidIdentifiers) {
  for (const char* name : {"", "3d", "a-b", "a b", "größe", "a.b", "x\n", "*/", "int", "class", "_Bool", "co_await"})
    EXPECT_THROW(c_source(small_model(), {.name = name}), core::UsageError) << name;
  for (const char* name : {"a", "_x", "Int", "x9"}) EXPECT_NO_THROW(c_source(small_model(), {.name = name})) << name;
}

TEST(CNames, GivesEveryNameOnce) {
  CNames names;
  EXPECT_EQ(names.take("a"), "a");
  EXPECT_EQ(names.take("a_3"), "a_3");
  EXPECT_EQ(names.take("a"), "a_2");
  EXPECT_EQ(names.take("a"), "a_4");
  EXPECT_EQ(names.take("a_2"), "a_2_2");
  EXPECT_EQ(c_word("  a--b__c! "), "a_b_c");
  EXPECT_EQ(c_word("\xff\n"), "other");
  EXPECT_EQ(c_word(std::string(27, 'a') + " b"), std::string(27, 'a'));
}

TEST(CText, WritesNumbersThatReadBackExactly) {
  EXPECT_EQ(c_float(1.0f), "1.0f");
  EXPECT_EQ(c_float(-0.1f), "-0.1f");
  EXPECT_EQ(c_float(1e20f), "1e+20f");
  for (const float value : {1.0f / 3.0f, std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min()})
    EXPECT_EQ(std::strtof(c_float(value).c_str(), nullptr), value);
}

TEST(CText, RejectsStringsLongerThanC99Allows) {
  EXPECT_NO_THROW(c_string(std::string(4095, 'x')));
  EXPECT_THROW(c_string(std::string(4096, 'x')), core::DataError);
}

const std::vector<std::string> hostile{"",
                                       " ",
                                       "*/ int x; /*",
                                       "// \\",
                                       "\\",
                                       "\"; int y;",
                                       "a\n#error b",
                                       "\?\?/",
                                       "\?\?=\?\?/\"",
                                       "@",
                                       "@_OK",
                                       "%s{}%",
                                       "größe",
                                       "grüße",
                                       "一",
                                       "二",
                                       "\u202e\u2066 turned",
                                       "\x01"
                                       "23",
                                       "3d",
                                       "int",
                                       "predict",
                                       "a b",
                                       "a_b",
                                       "a-b",
                                       "A B",
                                       "a",
                                       "b",
                                       "level",
                                       std::string("nul\0inside", 10),
                                       "nul",
                                       std::string(3000, 'x'),
                                       std::string(3000, 'x') + "y"};

/// Inputs, levels and classes all have these names.
model::Model hostile_model() {
  model::Model model = multiclass_model();
  std::vector<data::Input> inputs;
  for (const std::string& name : hostile)
    inputs.push_back({.name = name,
                      .kind = inputs.size() % 2 ? data::Column::Kind::text : data::Column::Kind::numeric,
                      .levels = inputs.size() % 2 ? hostile : std::vector<std::string>{},
                      .shares = std::vector<double>(inputs.size() % 2 ? hostile.size() : 0, 0.25)});
  model.encoder = data::Encoder(inputs);
  model.classes = hostile;
  model.targets = {"*/"};
  model.provenance.version = "*/\n#error";
  model.network = sample_network(model.encoder.features(), hostile.size(), 1);
  return model;
}

TEST(CSource, AcceptsAnyName) {
  const CProgram c;
  const std::string header = c_source(hostile_model(), {.name = "h"});
  c.write("h.h", header);
  EXPECT_TRUE(std::ranges::all_of(header, [](char byte) { return byte == '\n' || (byte >= ' ' && byte <= '~'); }));
  EXPECT_EQ(header.find("\?\?"), std::string::npos);
  c.write("main.c", R"(#include <stdio.h>
#include "h.h"
int main(void) {
  FILE* to = fopen("names", "wb");
  for (int i = 0; i < h_INPUTS; ++i) {
    fwrite(h_input_name(i), 1, strlen(h_input_name(i)) + 1, to);
    for (int l = 0; i % 2 && l < h_OUTPUTS; ++l)  // the classes and the levels have the same names
      if (h_level(i, h_output_name(l)) != l) return 1;
  }
  return fclose(to);
}
)");
  std::string wanted;
  for (std::string name : hostile) {
    if (name.starts_with("nul") && name != "nul") name = "nul\xc0\x80inside";
    wanted += name + '\0';
  }
  for (const auto& list : {c_compilers(), cpp_compilers()})
    for (const std::string& compiler : list) {
      c.compile(compiler, "main.c -o program -lm");
      EXPECT_TRUE(c.run("./program")) << compiler;
      EXPECT_EQ(c.read("names"), wanted) << compiler;
    }
}

TEST(CSource, RejectsNumbersThatExceedFloat) {
  model::Model model = small_model();
  model.target_shift = {1e39};
  EXPECT_THROW(c_source(model, {.name = "m"}), core::DataError);
  model.target_shift = {0.0};
  model.target_scale = {1e-50};
  EXPECT_THROW(c_source(model, {.name = "m"}), core::DataError);
  model.target_scale = {};
  EXPECT_THROW(c_source(model, {.name = "m"}), core::DataError);
}

}  // namespace
}  // namespace accrete::io::c_names_test
