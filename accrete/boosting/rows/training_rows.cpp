#include "accrete/backend/custom_loss_rows.hpp"
#include "accrete/boosting/train.hpp"
#include "accrete/config/preset.hpp"

namespace accrete::boosting {

bool runs_steps_on_device(const TrainTask& task) {
  return task.device && task.comm.size() == 1 && task.device->runs_steps(task.data.features, task.config, task.outputs);
}

std::unique_ptr<backend::TrainingRows> make_training_rows(const TrainTask& task, const data::Dataset& data,
                                                          activation::Activation activation) {
  const backend::TrainingProblem problem{.dataset = data,
                                         .outputs = task.outputs,
                                         .loss = config::loss_of(task.config),
                                         .activation = activation,
                                         .workers = task.workers,
                                         .comm = task.comm};
  const bool is_evaluated_on_device = task.device && !runs_steps_on_device(task);
  auto rows =
      is_evaluated_on_device ? task.device->make_rows(problem) : backend::backend_named(task.backend).make(problem);
  return task.custom_loss ? make_custom_loss_rows(problem, task.custom_loss, std::move(rows)) : std::move(rows);
}

}  // namespace accrete::boosting
