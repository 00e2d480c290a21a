// Early exit in the exported header: the same predictions and units as the library's.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "accrete/io/c_source.hpp"
#include "accrete/model/predict_exit.hpp"
#include "tests/io/c_models.hpp"
#include "tests/io/c_program.hpp"

namespace accrete::io::c_exit_test {
namespace {

constexpr std::size_t row_count = 500;

struct ExitCase {
  std::string name;
  model::Model model;
};

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// The logarithm of the ratio of the two highest probabilities.
double margin_of(std::span<const double> probabilities) {
  std::vector<double> sorted(probabilities.begin(), probabilities.end());
  std::ranges::sort(sorted, std::greater{});
  return std::log(sorted[0]) - std::log(sorted[1]);
}

/// Exits after 2, 5 and 8 of 12 steps that some rows take.
void add_exits(model::Model& model) {
  core::Workers workers(1);
  const SampleRows rows = random_rows(model.encoder, row_count);
  const auto predictions = [&](std::size_t steps) { return model::predict(model, rows.table, steps, workers); };
  model.early_exit = {.disagreement = 0.001, .confidence = 0.95, .rows = 1, .exits = {}, .tolerances = {}};
  for (const std::size_t steps : {2, 5, 8}) {
    std::vector<double> margins;
    const auto p = predictions(steps);
    for (std::size_t r = 0; r < row_count && !model.classes.empty(); ++r) margins.push_back(margin_of(p.row(r)));
    model.early_exit.exits.push_back({steps, margins.empty() ? 1.0 : 1.5 * median(margins)});
  }
  if (!model.classes.empty()) return;
  model.early_exit.exits[0].threshold = -1.0;
  const auto before = predictions(2), after = predictions(5);
  for (std::size_t k = 0; k < before.cols(); ++k) {
    std::vector<double> moved;
    for (std::size_t r = 0; r < row_count; ++r) moved.push_back(std::abs(after(r, k) - before(r, k)));
    model.early_exit.tolerances.push_back(median(moved));
  }
}

std::vector<ExitCase> cases() {
  std::vector<ExitCase> all;
  for (const char* loss : {"logistic", "softmax", "squared", "poisson"})
    for (const bool plain : {false, true})
      for (const bool monotone : {false, true}) {
        all.push_back({fmt::format("{}_{}_{}", loss, plain ? "plain" : "mixed", monotone ? "exact" : "fast"),
                       random_model(loss, "tanh", plain, plain ? 1.0 : 0.5)});
        if (monotone) all.back().model.network.require_exact_activation();
        add_exits(all.back().model);
      }
  return all;
}

/// For every case: reads rows from CASE.rows and writes the units and predictions to CASE.out.
std::string driver(const std::vector<ExitCase>& all) {
  std::string text = "#include <stdio.h>\n", list;
  for (const ExitCase& c : all) {
    text += fmt::format("#include \"{}.h\"\n", c.name);
    list += fmt::format("  {{\"{0}.rows\", \"{0}.out\", {0}_predict_exit, {0}_INPUTS, {0}_OUTPUTS}},\n", c.name);
  }
  return text + "static const struct {\n  const char *rows, *out;\n  int (*predict)(const float*, float*, int*);\n" +
         "  int inputs, outputs;\n} list[] = {\n" + list + R"(};
int main(void) {
  float x[64], out[64];
  for (size_t i = 0; i < sizeof list / sizeof list[0]; ++i) {
    FILE *from = fopen(list[i].rows, "rb"), *to = fopen(list[i].out, "wb");
    const size_t inputs = (size_t)list[i].inputs, outputs = (size_t)list[i].outputs;
    if (from == NULL || to == NULL) return 1;
    while (fread(x, sizeof(float), inputs, from) == inputs) {
      int units = 0;
      if (list[i].predict(x, out, &units) != 0 || list[i].predict(x, out, NULL) != 0) return 2;
      const float used = (float)units;
      fwrite(&used, sizeof(float), 1, to);
      fwrite(out, sizeof(float), outputs, to);
    }
    fclose(from);
    fclose(to);
  }
  return 0;
}
)";
}

void expect_predictions(const std::string& bytes, const ExitCase& one, const model::ExitPredictions& wanted) {
  const std::size_t outputs = wanted.values.cols();
  std::vector<float> given(row_count * (outputs + 1));
  ASSERT_EQ(bytes.size(), given.size() * sizeof(float)) << one.name;
  std::memcpy(given.data(), bytes.data(), bytes.size());
  std::size_t stopped = 0, other = 0;
  for (std::size_t r = 0; r < row_count; ++r) {
    const float* row = given.data() + r * (outputs + 1);
    stopped += wanted.units[r] < one.model.network.units() ? 1 : 0;
    // A margin within a float's rounding of the threshold may fall on either side.
    if (static_cast<std::size_t>(row[0]) != wanted.units[r]) {
      ++other;
      continue;
    }
    for (std::size_t k = 0; k < outputs; ++k)
      ASSERT_LE(std::abs(static_cast<double>(row[1 + k]) - wanted.values(r, k)),
                allowed(one.model, k, wanted.values(r, k)))
          << one.name << ", row " << r;
  }
  EXPECT_LE(other, 2) << one.name;
  EXPECT_GT(stopped, 20) << one.name;
  EXPECT_LT(stopped, row_count - 20) << one.name;
}

TEST(CExit, PredictsAsTheLibraryDoes) {
  const CProgram c;
  const std::vector<ExitCase> all = cases();
  std::vector<model::ExitPredictions> wanted;
  core::Workers workers(1);
  for (const ExitCase& one : all) {
    const SampleRows rows = random_rows(one.model.encoder, row_count);
    wanted.push_back(model::predict_exit(one.model, rows.table, workers));
    c.write(one.name + ".rows", {reinterpret_cast<const char*>(rows.raw.data()), rows.raw.size() * sizeof(float)});
    c.write(one.name + ".h", c_source(one.model, {.name = one.name}));
  }
  c.write("main.c", driver(all));
  const std::string extra = " -O1 -Wshadow";
  for (const std::string& compiler : compilers({"gcc -std=c99", "clang -std=c99"})) {
    SCOPED_TRACE(compiler);
    c.compile(compiler + extra, "main.c -o program -lm");
    ASSERT_TRUE(c.run("./program"));
    for (std::size_t i = 0; i < all.size(); ++i) expect_predictions(c.read(all[i].name + ".out"), all[i], wanted[i]);
  }
}

TEST(CExit, IsOnlyInHeadersOfModelsThatHaveIt) {
  model::Model model = random_model("logistic", "tanh", true);
  EXPECT_EQ(c_source(model, {.name = "m"}).find("predict_exit"), std::string::npos);
  add_exits(model);
  EXPECT_NE(c_source(model, {.name = "m"}).find("at most 0.1 % of all rows"), std::string::npos);
  model.early_exit.exits.clear();  // no threshold keeps the guarantee
  const CProgram c;
  c.write("m.h", c_source(model, {.name = "m"}));
  c.write("main.c", R"(#include "m.h"
int main(void) {
  const float x[m_INPUTS] = {1, 2, 3};
  float a[m_OUTPUTS], b[m_OUTPUTS];
  int units = 0;
  if (m_predict_exit(NULL, a, NULL) != m_ERROR_NULL) return 1;
  if (m_predict_exit(x, a, &units) != m_OK || m_predict(x, 0, b) != m_OK) return 2;
  return units != m_UNITS || a[0] != b[0];
}
)");
  for (const std::string& compiler : compilers({"gcc -std=c99"})) {
    c.compile(compiler, "main.c -o program -lm");
    EXPECT_TRUE(c.run("./program")) << c.read("log");
  }
}

}  // namespace
}  // namespace accrete::io::c_exit_test
