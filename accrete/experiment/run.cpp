#include "accrete/experiment/run.hpp"

#include "accrete/comm/agree.hpp"

namespace accrete::experiment {

void RunCounter::plan(const FitBatch& batch) {
  progress_.planned += batch.fits;
  all_work_ += static_cast<double>(batch.fits) * batch.work;
}

void RunCounter::begin(const FitBatch& batch) {
  at_ = batch;
  before_ = progress_.fits;
  progress_.task = batch.task;
  progress_.method = batch.method;
}

void RunCounter::progress(std::size_t done) {
  progress_.fits = before_ + done;
  progress_.work = (work_ + static_cast<double>(done) * at_.work) / all_work_;
  if (options_.on_progress) options_.on_progress(progress_);
}

void RunCounter::end(std::size_t done, std::size_t found) {
  progress_.fits = before_ + done;
  found_ += found;
  work_ += static_cast<double>(at_.fits) * at_.work;
}

void keep(const ExperimentOptions& options, const store::Result& result, const StoredResult& kept) {
  comm::run_on_rank_0(*options.comm, [&] { options.store->keep_result(result); });
  if (options.on_result) options.on_result(kept);
}

}  // namespace accrete::experiment
