// Times prediction with a model file on raw rows; run and explained by bench/predict.py and bench/predict_columns.py.
//
//   bench_predict_timer MODEL ROWS.f32 [OUT.f64]
//   bench_predict_timer MODEL ROWS.csv
//
// ROWS.f32: row-major float32, one column per input of the model. OUT.f64: if given, nothing is timed; receives the
// predictions of the batch call with all units, then those of the single-row call, as row-major doubles. ROWS.csv: a
// table, which is read before anything is timed. Prints one JSON object.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "accrete/accrete.hpp"
#include "accrete/io/csv.hpp"
#include "accrete/network/forward.hpp"

namespace {

using Clock = std::chrono::steady_clock;

double nanoseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::nano>(to - from).count();
}

std::vector<float> read_floats(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<float> values;
  file.seekg(0, std::ios::end);
  const auto bytes = file.tellg();
  if (!file || bytes < 0) throw accrete::FileError("cannot read " + path);
  values.resize(static_cast<std::size_t>(bytes) / sizeof(float));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(float)));
  return values;
}

/// The quantile of sorted times.
double quantile(const std::vector<double>& sorted, double share) {
  return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

/// Nanoseconds of single predict_row calls, sorted; each includes one reading of the clock (see clock_time).
std::vector<double> time_rows(const accrete::Model& model, const std::vector<float>& rows, std::size_t units) {
  constexpr std::size_t max_rows = 200'000;
  const std::size_t inputs = model.encoder.inputs().size(), steps = model.steps_for(units);
  const std::size_t count = std::min(max_rows, rows.size() / inputs);
  std::vector<float> workspace(accrete::model::workspace_size(model));
  std::vector<double> times(count), prediction(accrete::predict(model, std::span(rows).first(inputs)).cols());
  for (int warm = 0; warm < 2; ++warm)
    for (std::size_t r = 0; r < count; ++r) {
      const auto start = Clock::now();
      accrete::model::predict_row(model, std::span(rows).subspan(r * inputs, inputs), steps, workspace, prediction);
      times[r] = nanoseconds(start, Clock::now());
    }
  std::sort(times.begin(), times.end());
  return times;
}

double clock_time() {
  std::vector<double> times(10'000);
  for (double& time : times) {
    const auto start = Clock::now();
    time = nanoseconds(start, Clock::now());
  }
  std::sort(times.begin(), times.end());
  return quantile(times, 0.5);
}

/// Seconds of each call after a warm-up, as a JSON list. One thread: CPU time, which other load disturbs little; more
/// threads: wall time.
template <class Call>
std::string time_calls(std::size_t threads, int repeats, const Call& call) {
  std::string list;
  for (int i = 0; i <= repeats; ++i) {
    const auto start = Clock::now();
    const std::clock_t cpu_start = std::clock();
    const auto predictions = call();
    const double cpu_seconds = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
    const double seconds = threads == 1 ? cpu_seconds : nanoseconds(start, Clock::now()) * 1e-9;
    if (i > 0) list += (i > 1 ? ", " : "") + std::to_string(seconds);
  }
  return "[" + list + "]";
}

std::string time_batch(const accrete::Model& model, const std::vector<float>& rows, std::size_t units,
                       std::size_t threads, int repeats) {
  return time_calls(threads, repeats,
                    [&] { return accrete::predict(model, rows, {.units = units, .threads = threads}); });
}

/// Times batch calls on a table, and the same by encoding all features and multiplying them by the dense weights.
void run_table(const accrete::Model& model, const std::string& path) {
  accrete::core::Workers one(1);
  const accrete::data::Table table = accrete::io::read_csv(path, {}, one);
  const std::size_t steps = model.network.steps();
  const auto batch = time_calls(1, 7, [&] { return accrete::model::predict(model, table, steps, one); });
  const auto dense = time_calls(1, 3, [&] {
    const auto features = model.encoder.encode(table);
    return accrete::model::apply_link(model, accrete::network::forward(model.network, features, steps, one));
  });
  std::printf("{\"units\": %zu, \"features\": %zu, \"batch_s\": %s, \"dense_s\": %s}\n", model.network.units(),
              model.encoder.features(), batch.c_str(), dense.c_str());
}

void write_predictions(const accrete::Model& model, const std::vector<float>& rows, const std::string& path) {
  const auto batch = accrete::predict(model, rows);
  std::ofstream file(path, std::ios::binary);
  const auto write = [&](std::span<const double> values) {
    file.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
  };
  write(batch.flat());
  const std::size_t inputs = model.encoder.inputs().size();
  std::vector<float> workspace(accrete::model::workspace_size(model));
  std::vector<double> prediction(batch.cols());
  for (std::size_t r = 0; r < batch.rows(); ++r) {
    accrete::model::predict_row(model, std::span(rows).subspan(r * inputs, inputs), model.network.steps(), workspace,
                                prediction);
    write(prediction);
  }
  if (!file.flush()) throw accrete::FileError("cannot write " + path);
}

void run(const std::string& model_path, const std::string& rows_path, const std::string& out) {
  const accrete::Model model = accrete::load(model_path);
  if (rows_path.ends_with(".csv")) return run_table(model, rows_path);
  const std::vector<float> rows = read_floats(rows_path);
  if (!out.empty()) return write_predictions(model, rows, out);
  constexpr int repeats = 7;
  std::printf("{\"clock_ns\": %.1f, \"units\": %zu", clock_time(), model.network.units());
  std::string one = "", batch = "";
  for (const std::size_t units : {25, 50, 100, 200}) {
    if (units > model.network.units()) continue;
    const auto times = time_rows(model, rows, units);
    const std::string key = (one.empty() ? "\"" : ", \"") + std::to_string(units) + "\": ";
    one += key + "[" + std::to_string(quantile(times, 0.5)) + ", " + std::to_string(quantile(times, 0.99)) + "]";
    batch += key + time_batch(model, rows, units, 1, repeats);
  }
  std::printf(",\n \"row_ns\": {%s},\n \"batch_s\": {%s},\n \"batch_2_threads_s\": %s}\n", one.c_str(), batch.c_str(),
              time_batch(model, rows, 0, 2, repeats).c_str());
}

}  // namespace

int main(int count, char** words) {
  if (count < 3 || count > 4) {
    std::fprintf(stderr, "usage: %s MODEL ROWS.f32 [OUT.f64] | MODEL ROWS.csv\n", words[0]);
    return 2;
  }
  try {
    run(words[1], words[2], count == 4 ? words[3] : "");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
