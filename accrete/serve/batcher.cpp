#include "accrete/serve/batcher.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "accrete/core/parallel.hpp"
#include "accrete/model/predict_exit.hpp"
#include "accrete/model/predict_raw.hpp"

namespace accrete::serve {
namespace {

double seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

double mean(std::span<const std::size_t> units) {
  return std::accumulate(units.begin(), units.end(), 0.0) / static_cast<double>(std::max<std::size_t>(units.size(), 1));
}

}  // namespace

Prediction Batcher::predict(const Job& job) {
  const auto own = std::make_shared<Waiting>(&job);
  std::unique_lock lock(mutex_);
  queue_.push_back(own);
  queued_rows_ += job.raw.rows;
  if (leaders_ < options_.slots) {
    ++leaders_;
    own->leads = true;
  }
  own->changed.wait(lock, [&] { return own->leads || own->done; });
  if (own->leads) lead(lock, *own);
  own->changed.wait(lock, [&] { return own->done; });  // another leader may have predicted it
  lock.unlock();
  if (own->error) std::rethrow_exception(own->error);
  return std::move(own->prediction);
}

void Batcher::lead(std::unique_lock<std::mutex>& lock, const Waiting& own) {
  while (!own.taken) {
    const Clock::time_point start = Clock::now();
    const Job& first = *queue_.front()->job;
    const bool has_dial = options_.latency > 0.0 && first.served->has_dial && !first.exits;
    const std::size_t steps = choose_steps(first, start);
    const Batch batch = take_batch();
    std::size_t rows = 0;
    for (const auto& waiting : batch) rows += waiting->job->raw.rows;
    const std::shared_ptr<const ServedModel> served = first.served;
    lock.unlock();
    run(batch, steps, rows);
    lock.lock();
    const Clock::time_point end = Clock::now();
    if (has_dial)
      dial(served).finish_batch(seconds(end.time_since_epoch()), rows, served->model.units_after(steps),
                                seconds(end - start));
    for (const auto& waiting : batch) {
      waiting->done = true;
      waiting->changed.notify_one();
    }
  }
  // Pass the slot to a waiting request that has none.
  const auto next = std::ranges::find(queue_, false, [](const auto& waiting) { return waiting->leads; });
  if (next == queue_.end()) {
    --leaders_;
    return;
  }
  (*next)->leads = true;
  (*next)->changed.notify_one();
}

/// Takes the request at the front of the queue, and later ones with the same model, number of steps and exits.
Batcher::Batch Batcher::take_batch() {
  Batch batch{queue_.front()};
  batch.front()->taken = true;
  queue_.pop_front();
  const Job& first = *batch.front()->job;
  std::size_t rows = first.raw.rows;
  for (auto at = queue_.begin(); at != queue_.end() && rows < options_.max_batch_rows;) {
    const Job& job = *(*at)->job;
    const bool is_alike = job.served == first.served && job.steps == first.steps && job.exits == first.exits;
    if (!is_alike || rows + job.raw.rows > options_.max_batch_rows) {
      ++at;
      continue;
    }
    rows += job.raw.rows;
    (*at)->taken = true;
    batch.push_back(std::move(*at));
    at = queue_.erase(at);
  }
  queued_rows_ -= rows;
  return batch;
}

std::size_t Batcher::choose_steps(const Job& first, Clock::time_point now) {
  const model::Model& model = first.served->model;
  if (first.steps) return *first.steps;
  if (first.exits) return model.network.steps();
  if (options_.latency <= 0.0 || !first.served->has_dial) return model.network.steps();
  const std::size_t units =
      dial(first.served)
          .choose(seconds(now.time_since_epoch()), {.rows = queued_rows_, .oldest = seconds(now - first.arrived)});
  return std::max<std::size_t>(model.network.steps_within(units), 1);
}

void Batcher::run(const Batch& batch, std::size_t steps, std::size_t rows) {
  try {
    core::Workers workers(1);
    const model::Model& model = batch.front()->job->served->model;
    const Job& job = *batch.front()->job;
    if (batch.size() == 1 && !job.exits) {
      batch.front()->prediction = {
          .values = model::predict_raw(model, job.raw, steps, workers), .steps = steps, .batch_rows = rows};
      return;
    }
    core::Matrix<float> raw(rows, job.raw.cols);
    auto at = raw.flat().begin();
    for (const auto& waiting : batch) at = std::ranges::copy(waiting->job->raw.flat(), at).out;
    std::vector<std::size_t> units;
    core::Matrix<double> values;
    if (job.exits) {
      model::ExitPredictions predictions = model::predict_exit(model, raw, workers);
      units = std::move(predictions.units);
      values = std::move(predictions.values);
    } else {
      values = model::predict_raw(model, raw, steps, workers);
    }
    std::size_t first = 0;
    for (const auto& waiting : batch) {
      core::Matrix<double> own(waiting->job->raw.rows, values.cols());
      std::ranges::copy(values.flat().subspan(first * values.cols(), own.rows() * own.cols()), own.flat().begin());
      waiting->prediction = {.values = std::move(own), .steps = steps, .batch_rows = rows};
      if (job.exits) waiting->prediction.mean_units = mean(std::span(units).subspan(first, waiting->job->raw.rows));
      first += waiting->job->raw.rows;
    }
  } catch (...) {
    for (const auto& waiting : batch) waiting->error = std::current_exception();
  }
}

DialController& Batcher::dial(const std::shared_ptr<const ServedModel>& served) {
  if (const auto found = dials_.find(served.get()); found != dials_.end()) return found->second.controller;
  std::erase_if(dials_, [](const auto& entry) { return entry.second.served.expired(); });
  const DialController controller({.latency = options_.latency,
                                   .min_units = options_.min_units,
                                   .max_units = served->model.network.units(),
                                   .servers = options_.slots});
  return dials_.emplace(served.get(), Dial{served, controller}).first->second.controller;
}

void Batcher::finish_request(const ServedModel& served, Clock::time_point arrived) {
  if (options_.latency <= 0.0) return;
  const Clock::time_point now = Clock::now();
  const std::unique_lock lock(mutex_);
  if (const auto found = dials_.find(&served); found != dials_.end())
    found->second.controller.finish_request(seconds(now.time_since_epoch()), seconds(now - arrived));
}

std::size_t Batcher::waiting_rows() const {
  const std::unique_lock lock(mutex_);
  return queued_rows_;
}

}  // namespace accrete::serve
