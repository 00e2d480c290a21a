#include "accrete/tune/runs/shared_folds.hpp"

#include <mutex>

#include "accrete/tune/runs/byte_stream.hpp"
#include "accrete/tune/runs/shared_tasks.hpp"

namespace accrete::tune {

std::string to_bytes(const FoldScore& score) {
  ByteWriter writer;
  writer.put_count(score.repeat).put_count(score.fold).put_count(score.train_rows).put_count(score.test_rows);
  writer.put_metrics(score.metrics).put(score.train_loss).put_count(score.units).put(score.seconds);
  writer.put(score.out_of_time).put_count(score.curve.size());
  for (const auto& [units, value] : score.curve) writer.put_count(units).put(value);
  return writer.take();
}

FoldScore parse_fold(std::string_view bytes) {
  ByteReader reader(bytes);
  FoldScore score;
  score.repeat = reader.count();
  score.fold = reader.count();
  score.train_rows = reader.count();
  score.test_rows = reader.count();
  score.metrics = reader.metrics();
  score.train_loss = reader.get<double>();
  score.units = reader.count();
  score.seconds = reader.get<double>();
  score.out_of_time = reader.get<bool>();
  for (std::size_t left = reader.count(); left > 0; --left) {
    const std::size_t units = reader.count();
    score.curve.emplace_back(units, reader.get<double>());
  }
  reader.require_end();
  return score;
}

std::vector<std::optional<FoldScore>> run_folds(std::size_t count, const CrossValidation& how, core::Workers& workers,
                                                const RunFold& run) {
  std::vector<std::optional<FoldScore>> scores(count);
  std::mutex reporting;
  std::size_t done = 0;
  const auto take = [&](std::size_t i, std::optional<FoldScore> score) {
    scores[i] = std::move(score);
    const std::scoped_lock lock(reporting);
    if (scores[i] && how.done) how.done(++done, count);
  };
  if (!how.comm || how.comm->size() == 1) {
    workers.run(count, [&](std::size_t i) { take(i, run(i, how.stop)); });
    return scores;
  }
  SharedTasks tasks{.count = count, .run = {}, .arrived = {}, .stop = how.stop};
  tasks.run = [&](std::size_t i, const std::function<bool()>& stop) -> std::optional<std::string> {
    const auto score = run(i, stop);
    return score ? std::optional(to_bytes(*score)) : std::nullopt;
  };
  tasks.arrived = [&](std::size_t i, std::string_view bytes) { take(i, parse_fold(bytes)); };
  share_tasks(tasks, *how.comm, workers);
  return scores;
}

}  // namespace accrete::tune
