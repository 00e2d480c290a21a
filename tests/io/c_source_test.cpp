// Compiles the exported header with every C compiler and compares its predictions with the library's.

#include "accrete/io/c_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "accrete/core/error.hpp"
#include "accrete/model/link.hpp"
#include "tests/io/c_models.hpp"
#include "tests/io/c_program.hpp"
#include "tests/io/sample_model.hpp"

namespace accrete::io::c_source_test {
namespace {

constexpr std::size_t row_count = 1000;

struct ExportCase {
  std::string name;
  model::Model model;
};

/// Every loss with every activation, on numbers alone or on all kinds of columns; and unusual models.
std::vector<ExportCase> cases() {
  std::vector<ExportCase> all;
  for (std::size_t l = 0; l < loss::All::size; ++l)
    for (std::size_t a = 0; a < activation::All::size; ++a)
      all.push_back({fmt::format("{}_{}", loss::All::names[l], activation::All::names[a]),
                     random_model(loss::All::names[l], activation::All::names[a], (l + a) % 2 == 0)});
  all.push_back({"dense", random_model("logistic", "tanh", false, 1.0)});
  all.push_back({"dense_plain", random_model("logistic", "tanh", true, 1.0)});
  all.push_back({"blind", random_model("squared", "tanh", false, 0.0)});
  for (const bool plain : {false, true})
    for (const double part : {0.5, 1.0}) {
      all.push_back({fmt::format("bins_{}_{}", plain ? "alone" : "mixed", part < 1.0 ? "some" : "all"),
                     random_model("logistic", "tanh", plain)});
      model::Model& model = all.back().model;
      model.encoder = data::Encoder(with_bins(sample_inputs(plain)));
      model.network = random_network(model.encoder.features(), 1, 12, part, "tanh");
    }
  all.push_back({"gaps_alone", random_model("logistic", "tanh", true)});
  all.back().model.encoder = data::Encoder({{.name = "never", .kind = Kind::text, .gap_flag = true}});
  all.back().model.network = random_network(1, 1, 12, 1.0, "tanh");
  all.push_back({"wide", random_model("squared", "tanh", false)});
  auto inputs = all.back().model.encoder.inputs();
  inputs[0].mean = -1e38, inputs[0].scale = 2e37, inputs[1].mean = 1e-33, inputs[1].scale = 1e-34;
  all.back().model.encoder = data::Encoder(inputs);
  all.push_back({"wide_bins", all.back().model});
  inputs[0].mean = -2e30, inputs[0].scale = 2e29, inputs[1].mean = 1e-28, inputs[1].scale = 1e-29;
  all.back().model.encoder = data::Encoder(with_bins(inputs));
  all.back().model.network = random_network(all.back().model.encoder.features(), 2, 12, 0.5, "tanh");
  inputs = sample_inputs(true);  // a bin too narrow for a float slope
  inputs[2].knots = {0.0f, 2e-30f, 3.0f}, inputs[2].bin_means = {0.9, 0.4}, inputs[2].bin_scales = {0.2, 0.3};
  all.push_back({"thin_bins", random_model("squared", "tanh", true)});
  all.back().model.encoder = data::Encoder(inputs);
  all.back().model.network = random_network(5, 2, 12, 0.5, "tanh");
  for (const char* loss : {"logistic", "softmax"}) {
    all.push_back({fmt::format("steep_{}", loss), random_model(loss, "relu", true)});
    network::Network& network = all.back().model.network;
    std::vector<float> weights{-300.0f, 300.0f, 150.0f, -150.0f};
    weights.resize(network.outputs());
    network.append(block(1, {2}, 0.0f, weights));
    for (float& weight : weights) weight *= -1.0f;
    network.append(block(1, {1}, 0.0f, weights));
  }
  all.push_back({"cancelling", random_model("huber", "logistic", true)});
  all.back().model.network = cancelling_network();
  return all;
}

constexpr std::size_t prefix_count = 4;

std::vector<std::size_t> prefixes(const network::Network& network) {
  return {network.units_after(1), network.units_after(2) + 1, network.units_after(network.steps() / 2), 0};
}

/// For every case: reads rows from CASE.rows and writes predictions at every prefix to CASE.out.
std::string driver(const std::vector<ExportCase>& all) {
  std::string text = "#include <stdio.h>\n", list;
  for (const ExportCase& c : all) {
    text += fmt::format("#include \"{}.h\"\n", c.name);
    list += fmt::format("  {{\"{0}.rows\", \"{0}.out\", {0}_predict, {0}_INPUTS, {0}_OUTPUTS, {{{1}}}}},\n", c.name,
                        fmt::join(prefixes(c.model.network), ", "));
  }
  return text + "static const struct {\n  const char *rows, *out;\n  int (*predict)(const float*, int, float*);\n" +
         fmt::format("  int inputs, outputs, units[{}];\n}} list[] = {{\n{}", prefix_count, list) + R"(};
int main(void) {
  float x[64], out[64];
  for (size_t i = 0; i < sizeof list / sizeof list[0]; ++i) {
    FILE *from = fopen(list[i].rows, "rb"), *to = fopen(list[i].out, "wb");
    const size_t inputs = (size_t)list[i].inputs, outputs = (size_t)list[i].outputs;
    if (from == NULL || to == NULL) return 1;
    for (size_t u = 0; u < sizeof list[i].units / sizeof(int); ++u) {
      rewind(from);
      while (fread(x, sizeof(float), inputs, from) == inputs) {
        if (list[i].predict(x, list[i].units[u], out) != 0) return 2;
        fwrite(out, sizeof(float), outputs, to);
      }
    }
    fclose(from);
    fclose(to);
  }
  return 0;
}
)";
}

std::string bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

/// At every prefix.
std::vector<core::Matrix<double>> library_predictions(const ExportCase& one, const SampleRows& rows) {
  core::Workers workers(1);
  std::vector<core::Matrix<double>> all;
  for (const std::size_t units : prefixes(one.model.network))
    all.push_back(model::predict(one.model, rows.table, one.model.steps_for(units), workers));
  return all;
}

void expect_predictions(const std::string& bytes, const ExportCase& one,
                        const std::vector<core::Matrix<double>>& wanted) {
  const std::size_t outputs = wanted[0].cols(), each = row_count * outputs;
  std::vector<float> given(each * wanted.size());
  ASSERT_EQ(bytes.size(), given.size() * sizeof(float)) << one.name;
  std::memcpy(given.data(), bytes.data(), bytes.size());
  for (std::size_t p = 0; p < wanted.size(); ++p) {
    double worst = 0.0;  // relative to the tolerance
    for (std::size_t i = 0; i < each; ++i) {
      const double value = wanted[p].flat()[i], c = given[p * each + i];
      const double off = std::abs(c - value) / allowed(one.model, i % outputs, value);
      worst = off <= worst ? worst : off;  // also keeps NaN
    }
    EXPECT_LE(worst, 1.0) << one.name << " at " << prefixes(one.model.network)[p] << " units";
  }
}

TEST(CSource, PredictsAsTheLibraryDoesForEveryLossAndActivationAtEveryPrefix) {
  const CProgram c;
  const std::vector<ExportCase> all = cases();
  std::vector<std::vector<core::Matrix<double>>> wanted;
  for (const ExportCase& one : all) {
    const SampleRows rows = random_rows(one.model.encoder, row_count);
    wanted.push_back(library_predictions(one, rows));
    c.write(one.name + ".rows", bytes_of(rows.raw));
    c.write(one.name + ".h", c_source(one.model, {.name = one.name}));
  }
  c.write("main.c", driver(all));
  for (const std::string& compiler :
       compilers({"gcc -std=c99 -O1", "clang -std=c99 -Os", "gcc -std=c99 -O1 -ffast-math"})) {
    SCOPED_TRACE(compiler);
    c.compile(compiler, "main.c -o program -lm");
    ASSERT_TRUE(c.run("./program"));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool simplified =
          compiler.ends_with("-ffast-math") && all[i].name == "cancelling";  // removes compensated summation
      if (!simplified) expect_predictions(c.read(all[i].name + ".out"), all[i], wanted[i]);
    }
  }
}

std::vector<ExportCase> odd_models() {
  return {{"small", small_model()},     {"none", empty_model()},  {"two", binary_model()},
          {"many", multiclass_model()}, {"bins", binned_model()}, {"mixed", random_model("poisson", "tanh", false)}};
}

TEST(CSource, CompilesWithoutWarningsIfPartlyUsed) {
  const CProgram c;
  std::string both;
  for (const ExportCase& one : odd_models()) {
    c.write(one.name + ".h", c_source(one.model, {.name = one.name}));
    both += fmt::format("#include \"{0}.h\"\n#include \"{0}.h\"\n", one.name);
  }
  c.write("nothing.c", both + "int nothing;\n");
  c.write("some.c",
          both + "int units(void);\nint units(void) { return two_UNITS + (small_input_name(1)[0] == 'b'); }\n");
  c.write("main.c", both + R"(int units(void);
int main(void) {
  float x[mixed_INPUTS] = {0}, out[mixed_OUTPUTS];
  return mixed_predict(x, 0, out) != mixed_OK || units() != 7;
}
)");
  const std::string extra = " -Wshadow -Wconversion -Wdouble-promotion -Wstrict-prototypes -Wmissing-prototypes";
  for (const std::string& compiler : c_compilers()) c.compile(compiler + extra, "-c nothing.c");
  for (std::string compiler : c_compilers()) {
    c.compile(compiler, "-O2 some.c main.c -o program -lm");
    EXPECT_TRUE(c.run("./program")) << compiler;
  }
  for (const std::string& compiler : cpp_compilers()) {
    c.compile(compiler, "-O1 nothing.c -c");
    c.compile(compiler, "some.c main.c -o program -lm");
    EXPECT_TRUE(c.run("./program")) << compiler;
  }
}

TEST(CSource, ReportsErrors) {
  const CProgram c;
  model::Model model = random_model("softmax", "relu", false);
  model.provenance.parameters = {{"units", std::to_string(model.network.units() + 2)}};
  c.write("m.h", c_source(model, {.name = "m"}));
  c.write("none.h", c_source(empty_model(), {.name = "none"}));
  c.write("main.c", R"(#include "m.h"
#include "none.h"
#include <stdio.h>
#define CHECK(what) if (!(what)) return printf("line %d: %s\n", __LINE__, #what), 1
int main(void) {
  float x[m_INPUTS] = {0}, out[m_OUTPUTS] = {7, 7, 7, 7}, all[m_OUTPUTS], y[none_OUTPUTS];
  CHECK(m_INPUTS == 5 && m_OUTPUTS == 4 && m_UNITS == 54 && none_UNITS == 0);
  CHECK(m_predict(NULL, 0, out) == m_ERROR_NULL);
  CHECK(m_predict(x, 0, NULL) == m_ERROR_NULL);
  CHECK(m_predict(x, -1, out) == m_ERROR_NEGATIVE_UNITS);
  CHECK(m_predict(x, 1, out) == m_ERROR_TOO_FEW_UNITS && m_predict(x, 2, out) == m_ERROR_TOO_FEW_UNITS);
  CHECK(m_predict(x, m_UNITS + 3, out) == m_ERROR_TOO_MANY_UNITS);
  for (int i = 0; i < m_INPUTS; ++i) {
    x[i] = i % 2 ? INFINITY : -INFINITY;
    CHECK(m_predict(x, 0, out) == m_ERROR_INFINITE);
    x[i] = 0;
  }
  CHECK(out[0] == 7 && out[3] == 7);
  CHECK(m_predict(x, m_UNITS, all) == m_OK && m_predict(x, 0, out) == m_OK && memcmp(all, out, sizeof all) == 0);
  CHECK(m_predict(x, m_UNITS + 2, out) == m_OK && memcmp(all, out, sizeof all) == 0);
  CHECK(m_predict(x, 3, all) == m_OK && m_predict(x, 6, out) == m_OK && memcmp(all, out, sizeof all) == 0);
  CHECK(m_predict(x, 7, out) == m_OK && memcmp(all, out, sizeof all) != 0);
  CHECK(m_level(m_at_colour, "blue") == m_colour_blue && m_level(m_at_colour, "red") == m_colour_red);
  CHECK(m_level(m_at_colour, "mauve") == m_UNSEEN_LEVEL && m_level(m_at_colour, "") == m_UNSEEN_LEVEL);
  CHECK(m_level(m_at_colour, NULL) == m_ERROR_NULL);
  CHECK(m_level(m_at_far, "1") == m_ERROR_INPUT);
  CHECK(m_level(-1, "a") == m_ERROR_INPUT && m_level(5, "a") == m_ERROR_INPUT);
  CHECK(strcmp(m_input_name(m_at_gappy), "gappy") == 0 && m_input_name(-1) == NULL && m_input_name(5) == NULL);
  CHECK(strcmp(m_output_name(3), "d") == 0 && m_output_name(4) == NULL);
  CHECK(none_predict(x, 0, y) == none_OK && none_predict(x, 1, y) == none_ERROR_TOO_MANY_UNITS);
  CHECK(y[0] > 0.455f && y[0] < 0.456f);
  return 0;
}
)");
  for (const std::string& compiler : c_compilers()) {
    c.compile(compiler, "main.c -o program -lm");
    EXPECT_TRUE(c.run("./program")) << compiler << ": " << c.read("log");
  }
}

}  // namespace
}  // namespace accrete::io::c_source_test
