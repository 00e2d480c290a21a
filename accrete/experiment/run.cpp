#include "accrete/experiment/run.hpp"

#include "accrete/comm/agree.hpp"

namespace accrete::experiment {

void Ledger::plan(const FitBatch& batch) {
  standing_.planned += batch.fits;
  all_work_ += static_cast<double>(batch.fits) * batch.work;
}

void Ledger::begin(const FitBatch& batch) {
  at_ = batch;
  before_ = standing_.fits;
  standing_.task = batch.task;
  standing_.method = batch.method;
}

void Ledger::progress(std::size_t done) {
  standing_.fits = before_ + done;
  standing_.work = (work_ + static_cast<double>(done) * at_.work) / all_work_;
  if (options_.news) options_.news(standing_);
}

void Ledger::end(std::size_t done, std::size_t found) {
  standing_.fits = before_ + done;
  found_ += found;
  work_ += static_cast<double>(at_.fits) * at_.work;
}

void keep(const RunOptions& options, const store::Result& result, const StoredResult& kept) {
  comm::run_on_first(*options.comm, [&] { options.store->keep_result(result); });
  if (options.kept) options.kept(kept);
}

}  // namespace accrete::experiment
